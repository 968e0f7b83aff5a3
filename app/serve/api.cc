#include "api.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "api_answers.h"
#include "core/ascii.h"
#include "core/charconv.h"
#include "core/files.h"
#include "core/utf8.h"
#include "gpu_queue.h"
#include "qr.h"

namespace warpshop::serve {
namespace {

using Json = nlohmann::json;

constexpr size_t kMostJson = size_t{64} << 10;
constexpr size_t kMostCompile = size_t{4} << 20;  // beyond its limit, the answer says so
constexpr size_t kMostFile = size_t{1} << 20;
// Requests above kMostJson at once, of all and of a student, whose page sends one after the other.
constexpr size_t kMostLarge = 64;
constexpr size_t kMostLargeOfOne = 4;

constexpr std::array<std::pair<const char*, const char*>, 7> kAlways = {{
    {"Content-Security-Policy",
     "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self' blob:; img-src "
     "'self' data: blob:; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors "
     "'self'"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cross-Origin-Embedder-Policy", "require-corp"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Permissions-Policy", "camera=(), microphone=(), geolocation=()"},
}};

Response with_headers(Response response) {
  for (const auto& [name, value] : kAlways) response.headers.emplace_back(name, value);
  const bool has_cache_control =
      std::any_of(response.headers.begin(), response.headers.end(),
                  [](const auto& header) { return header.first == "Cache-Control"; });
  if (!has_cache_control) response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

// "host:port" of "https://host:port".
std::string_view authority(std::string_view origin) {
  const size_t scheme = origin.find("://");
  return scheme == origin.npos ? std::string_view() : origin.substr(scheme + 3);
}

bool is_same_name(std::string_view a, std::string_view b) { return lower(a) == lower(b); }

std::string_view host_without_port(std::string_view host) {
  if (host.starts_with('[')) return host.substr(0, host.find(']') + 1);
  return host.substr(0, host.find(':'));
}

bool is_ip_or_localhost(std::string_view host) {
  if (host.starts_with('[') || is_same_name(host, "localhost")) return true;
  return !host.empty() &&
         std::all_of(host.begin(), host.end(), [](char c) { return is_digit(c) || c == '.'; });
}

std::vector<std::string> cookies_of(const Request& request) {
  std::vector<std::string> out;
  for (const auto& [name, value] : request.headers) {
    if (name != "cookie") continue;
    for (size_t at = 0; at < value.size();) {
      const size_t end = std::min(value.find(';', at), value.size());
      std::string_view one = std::string_view(value).substr(at, end - at);
      while (one.starts_with(' ')) one.remove_prefix(1);
      if (one.starts_with("warpshop=")) out.emplace_back(one.substr(9));
      at = end + 1;
    }
  }
  return out;
}

// The web edition, where it was installed or built.
std::filesystem::path find_web_edition() {
  std::error_code error;
  const std::filesystem::path installed = data_dir() / "web";
  if (std::filesystem::is_directory(installed, error)) return installed;
  // build/share/warpshop → build/web/web
  return data_dir().parent_path().parent_path() / "web" / "web";
}

}  // namespace

Api::Api(const ServeOptions& options, const ApiParts& parts,
         std::function<void(const std::string&)> log)
    : options_(options),
      parts_(parts),
      log_(std::move(log)),
      pages_(data_dir() / "assets" / "web"),
      web_edition_(find_web_edition()) {}

const std::vector<Api::Route>& Api::routes() {
  using For = Route::For;
  static const std::vector<Route> kRoutes = {
      {"GET", "/api/health", &Api::health, For::kAnybody},
      {"POST", "/api/compile", &Api::compile, For::kMember},
      {"GET", "/api/me", &Api::me, For::kAnybody},
      {"POST", "/api/join", &Api::join, For::kAnybody},
      {"POST", "/api/leave", &Api::leave, For::kMember},
      {"POST", "/api/lecturer", &Api::lecturer, For::kAnybody},
      {"GET", "/api/labs", &Api::labs, For::kMember},
      {"GET", "/api/files", &Api::list_files, For::kStudent},
      {"GET", "/api/files/", &Api::file, For::kStudent},
      {"PUT", "/api/files/", &Api::file, For::kStudent},
      {"DELETE", "/api/files/", &Api::file, For::kStudent},
      {"GET", "/api/versions/", &Api::versions, For::kStudent},
      {"GET", "/api/class", &Api::class_info, For::kLecturer},
      {"GET", "/api/class.csv", &Api::class_csv, For::kLecturer},
      {"GET", "/api/qr", &Api::qr, For::kLecturer},
      {"POST", "/api/code", &Api::new_code, For::kLecturer},
      {"POST", "/api/key", &Api::new_key, For::kLecturer},
      {"POST", "/api/remove", &Api::remove, For::kLecturer},
  };
  return kRoutes;
}

// A path that ends with / stands for every path below it.
const Api::Route* Api::route_of(const Request& request) {
  const std::string_view method = request.method == "HEAD" ? "GET" : request.method;
  for (const Route& route : routes()) {
    const std::string_view path = route.path;
    if (method == route.method &&
        (path.ends_with('/') ? request.path.starts_with(path) : request.path == path))
      return &route;
  }
  return nullptr;
}

Api::Caller Api::caller_of(const Request& request) const {
  if (options_.one_user) return {"", {only_student, true}};
  if (parts_.members == nullptr) return {};
  for (std::string& token : cookies_of(request)) {
    const Session session = parts_.members->session(token);
    if (session.is_anyone()) return {std::move(token), session};
  }
  return {};
}

// True if the request comes from one of our pages: no other page may act in a student's name.
bool Api::is_from_here(const Request& request) const {
  const std::string_view site = request.header("sec-fetch-site");
  if (site == "cross-site" || site == "same-site") return false;
  const std::string_view origin = request.header("origin");
  // A browser that knows Sec-Fetch-Site has compared the two itself; a proxy may rename us.
  if (origin.empty() || site == "same-origin") return true;
  if (std::find(options_.origins.begin(), options_.origins.end(), origin) != options_.origins.end())
    return true;
  const std::string_view from = authority(origin);
  return !from.empty() && (is_same_name(from, request.header("host")) ||
                           is_same_name(from, request.header("x-forwarded-host")));
}

// In --one-user nobody has to join, so a page elsewhere whose name is made to mean this machine
// (DNS rebinding) would be let in: only names of ours are.
bool Api::is_host_of_ours(const Request& request) const {
  if (!options_.one_user) return true;
  const std::string_view host = host_without_port(request.header("host"));
  return is_ip_or_localhost(host) ||
         std::any_of(options_.hosts.begin(), options_.hosts.end(), [&](const std::string& name) {
           return name == "*" || is_same_name(name, host);
         });
}

std::optional<Response> Api::refusal(const Route& route, const Caller& caller,
                                     const Request& request) const {
  using For = Route::For;
  if (std::string_view(route.method) != "GET" && !is_from_here(request))
    return problem(403, "this request comes from another page");
  if (options_.compile_only) {
    if (route.handler == &Api::health || route.handler == &Api::compile) return std::nullopt;
    return problem(404, "this server only compiles");
  }
  const Session& session = caller.session;
  const bool allowed = route.who == For::kAnybody ||
                       (route.who == For::kMember && session.is_anyone()) ||
                       (route.who == For::kStudent && session.student != 0) ||
                       (route.who == For::kLecturer && session.lecturer);
  if (allowed) return std::nullopt;
  if (session.is_anyone() && route.who == For::kLecturer)
    return problem(403, "only the lecturer may do this");
  return problem(401, "join the class first");
}

// Counts a large body from its header to its answer: it fills memory however slowly it comes.
std::optional<Response> Api::admit_large(StudentId student, Request& head) {
  const auto found = large_->of_student.find(student);
  const bool too_many =
      student != 0 && found != large_->of_student.end() && found->second >= kMostLargeOfOne;
  if (too_many || large_->all >= kMostLarge) {
    Response busy = problem(429, "too many large requests at once");
    busy.headers.emplace_back("Retry-After", "1");
    return busy;
  }
  ++large_->all;
  ++large_->of_student[student];
  head.held = std::shared_ptr<void>(nullptr, [large = large_, student](void*) {
    --large->all;
    const auto of = large->of_student.find(student);
    if (--of->second == 0) large->of_student.erase(of);
  });
  return std::nullopt;
}

std::variant<size_t, Response> Api::admit(Request& head) {
  if (!is_host_of_ours(head))
    return with_headers(problem(421, "unknown host: start the server with --host NAME"));
  const Route* route = route_of(head);
  if (route == nullptr) return size_t{0};
  const Caller caller = caller_of(head);
  if (std::optional<Response> refused = refusal(*route, caller, head))
    return with_headers(std::move(*refused));
  const size_t most = route->handler == &Api::compile ? kMostCompile
                      : route->handler != &Api::file  ? kMostJson
                      : head.method == "PUT"          ? kMostFile
                                                      : 0;
  const std::optional<size_t> bytes = parse_number<size_t>(head.header("content-length"));
  if (most > kMostJson && (!bytes || *bytes > kMostJson)) {
    if (std::optional<Response> busy = admit_large(caller.session.student, head))
      return with_headers(std::move(*busy));
  }
  return most;
}

void Api::answer(Request request, Reply reply) {
  const bool only_head = request.method == "HEAD";
  const Reply finished = [reply = std::move(reply), only_head,
                          held = request.held](Response response) {
    response.no_body = only_head;
    reply(with_headers(std::move(response)));
  };
  const Route* route = route_of(request);
  if (route == nullptr) return page(request, finished);
  const Caller caller = caller_of(request);
  // The session may have ended since its header was checked.
  if (std::optional<Response> refused = refusal(*route, caller, request))
    return finished(std::move(*refused));
  (this->*route->handler)(caller, request, finished);
}

void Api::page(const Request& request, const Reply& reply) {
  if (request.method != "GET" && request.method != "HEAD")
    return reply(problem(request.path.starts_with("/api/") ? 404 : 405, "nothing to do here"));
  if (options_.compile_only) return reply(problem(404, "this server only compiles"));
  const std::string_view path = std::string_view(request.path).substr(1);
  if (path.empty()) {
    if (options_.one_user) return reply(redirect("lab/"));
    return reply(static_files_.get(pages_, "join.html", request));
  }
  if (path == "lab") return reply(redirect("lab/"));
  // The cookie is for api/ only: the page asks api/me who is there.
  if (path == "lab/") return reply(static_files_.get(pages_, "lab.html", request));
  for (const std::string_view name : {"vote", "board", "lecturer"}) {
    if (path == name) return reply(static_files_.get(pages_, std::string(name) + ".html", request));
  }
  if (path == "favicon.ico") return reply(static_files_.get(pages_, "warpshop.svg", request));
  if (path.starts_with("web/")) return reply(static_files_.get(pages_, path.substr(4), request));
  if (path.starts_with("lab/")) {
    Response response = static_files_.get(web_edition_, path.substr(4), request);
    if (response.status == 404) response = static_files_.get(pages_, path.substr(4), request);
    return reply(std::move(response));
  }
  reply(problem(404, "no such page"));
}

std::variant<SocketHandlers, Response> Api::socket(const Request& request) {
  if (options_.compile_only) return with_headers(problem(404, "this server only compiles"));
  if (!is_host_of_ours(request) || !is_from_here(request))
    return with_headers(problem(403, "this request comes from another page"));
  // A request without an Origin is not from a browser, or the browser hides the page.
  const Caller caller = caller_of(request);
  if (!caller.session.is_anyone()) return with_headers(problem(401, "join the class first"));
  if (request.path == "/api/live") return parts_.classroom->socket(caller.session, caller.token);
  if (request.path == "/api/gpu" && parts_.gpus != nullptr)
    return parts_.gpus->socket(caller.session.student);
  return with_headers(problem(404, "no such socket"));
}

// --- Joining ---

bool Api::may_guess(const Request& request, const Reply& reply) {
  const int seconds = guesses_.wait(request.address, Guesses::Clock::now());
  if (seconds == 0) return true;
  log_("too many wrong codes from " + request.address);
  Response response = problem(429, "too many attempts");
  response.headers.emplace_back("Retry-After", std::to_string(seconds));
  reply(std::move(response));
  return false;
}

// Without a Path it holds for the folder of this address, api/, below whatever prefix a proxy adds.
Response Api::with_cookie(const Request& request, const std::string& token,
                          const Json& body) const {
  Response response = json(200, body);
  response.headers.emplace_back(
      "Set-Cookie", "warpshop=" + token + (token.empty() ? "; Max-Age=0" : "; Max-Age=31536000") +
                        "; HttpOnly; SameSite=Strict" + (request.secure ? "; Secure" : ""));
  return response;
}

void Api::me(const Caller& caller, Request&, const Reply& reply) {
  const Student* student = parts_.members->find(caller.session.student);
  Json body = {{"class", options_.title}, {"gpu", parts_.gpus != nullptr}};
  if (!caller.session.is_anyone()) return reply(json(401, body));
  body["lecturer"] = caller.session.lecturer;
  body["student"] = student != nullptr ? Json(student->id) : Json(nullptr);
  body["name"] = student != nullptr ? Json(student->name) : Json(nullptr);
  body["one_user"] = options_.one_user;
  Response response = json(200, body);
  // For a proxy that asks on behalf of compile servers.
  response.headers.emplace_back("X-Warpshop-Student", std::to_string(caller.session.student));
  reply(std::move(response));
}

void Api::join(const Caller& caller, Request& request, const Reply& reply) {
  const Json body = body_of(request);
  const std::string name = text_in(body, "name"), typed = text_in(body, "code"),
                    key = text_in(body, "key");
  if (options_.one_user) return reply(problem(404, "nobody joins here"));
  if (!may_guess(request, reply)) return;
  const std::string old = caller.token;
  const Members::JoinDone done = [this, reply, request = Request(request)](auto outcome) {
    using Refused = Members::Refused;
    if (const auto* problem_there = std::get_if<Diagnostic>(&outcome))
      return reply(problem(507, problem_there->message));
    if (const auto* refused = std::get_if<Refused>(&outcome)) {
      switch (*refused) {
        case Refused::kName:
          return reply(problem(422, "this name cannot be used"));
        case Refused::kTaken:
          return reply(problem(409, "this name is taken"));
        case Refused::kFull:
          return reply(problem(503, "the class is full"));
        case Refused::kUnknownKey:
          guesses_.wrong(request.address, Guesses::Clock::now());
          return reply(problem(403, "unknown key"));
      }
    }
    const Joined& joined = std::get<Joined>(outcome);
    log_("student " + std::to_string(joined.student) + " joined from " + request.address);
    reply(with_cookie(request, joined.token,
                      {{"student", joined.student}, {"name", joined.name}, {"key", joined.key}}));
  };
  if (!key.empty()) return parts_.members->join_by_key(key, old, done);
  if (!is_same_secret(plain_code(typed), code)) {
    guesses_.wrong(request.address, Guesses::Clock::now());
    log_("a wrong join code from " + request.address);
    return reply(problem(403, "wrong code"));
  }
  parts_.members->join(name, old, done);
}

void Api::leave(const Caller& caller, Request& request, const Reply& reply) {
  parts_.classroom->forget(caller.token);
  parts_.members->leave(caller.token,
                        [this, reply, request = Request(request)](const Store::Problem& wrong) {
                          if (wrong) return reply(problem(507, wrong->message));
                          reply(with_cookie(request, "", Json::object()));
                        });
}

void Api::lecturer(const Caller& caller, Request& request, const Reply& reply) {
  if (!may_guess(request, reply)) return;
  if (!is_same_secret(plain_code(text_in(body_of(request), "token")), lecturer_token)) {
    guesses_.wrong(request.address, Guesses::Clock::now());
    log_("a wrong lecturer's token from " + request.address);
    return reply(problem(403, "wrong token"));
  }
  parts_.members->enter_as_lecturer(
      caller.token, [this, reply, request = Request(request)](const Result<std::string>& token) {
        if (!token.ok()) return reply(problem(507, token.errors().front().message));
        log_("a lecturer logged in from " + request.address);
        reply(with_cookie(request, *token, {{"lecturer", true}}));
      });
}

// --- For the lecturer ---

void Api::class_info(const Caller&, Request&, const Reply& reply) {
  reply(json(200, {{"class", options_.title},
                   {"code", code},
                   {"addresses", addresses},
                   {"data", parts_.store->folder().string()}}));
}

void Api::class_csv(const Caller&, Request&, const Reply& reply) {
  Response response;
  response.type = "text/csv; charset=utf-8";
  response.headers.emplace_back("Content-Disposition", "attachment; filename=\"class.csv\"");
  response.body = parts_.classroom->csv();
  reply(std::move(response));
}

void Api::qr(const Caller&, Request& request, const Reply& reply) {
  const auto rows = qr_rows(query_value(request.query, "text"));
  if (!rows) return reply(problem(404, "no QR code of this text"));
  reply(json(200, {{"rows", *rows}}));
}

void Api::new_code(const Caller&, Request&, const Reply& reply) {
  const std::string next = random_code(6);
  parts_.store->run(
      [next](Database& database) {
        database.query("INSERT OR REPLACE INTO settings (key, value) VALUES ('code', ?)")
            .bind(next)
            .run();
      },
      [this, next, reply](const Store::Problem& wrong) {
        if (wrong) return reply(problem(507, wrong->message));
        code = next;
        log_("a new join code");
        parts_.classroom->code_changed();
        reply(json(200, {{"code", next}}));
      });
}

void Api::new_key(const Caller&, Request& request, const Reply& reply) {
  const StudentId student = number_in(body_of(request), "student");
  if (parts_.members->find(student) == nullptr) return reply(problem(404, "no such student"));
  parts_.members->new_key(student, [reply](const Result<std::string>& key) {
    if (!key.ok()) return reply(problem(507, key.errors().front().message));
    reply(json(200, {{"key", *key}}));
  });
}

void Api::remove(const Caller&, Request& request, const Reply& reply) {
  const StudentId student = number_in(body_of(request), "student");
  if (parts_.members->find(student) == nullptr) return reply(problem(404, "no such student"));
  parts_.members->remove(student, [this, reply, student](const Store::Problem& wrong) {
    if (wrong) return reply(problem(507, wrong->message));
    log_("student " + std::to_string(student) + " was removed");
    parts_.classroom->kick(student, "the lecturer has removed you from the class");
    if (parts_.gpus != nullptr) parts_.gpus->drop(student);
    reply(json(200, Json::object()));
  });
}

// --- For everybody in the class ---

void Api::health(const Caller&, Request&, const Reply& reply) {
  const PoolFigures figures = parts_.pool->figures();
  reply(json(200, {{"version", WARPSHOP_VERSION},
                   {"nvrtc", parts_.pool->version()},
                   {"compilers", figures.children},
                   {"waiting", figures.waiting},
                   {"answered", figures.answered},
                   {"from_cache", figures.from_cache},
                   {"failed", figures.failed}}));
}

void Api::labs(const Caller& caller, Request& request, const Reply& reply) {
  Response response;
  response.shared = parts_.labs->text(query_value(request.query, "lang"), caller.session.lecturer);
  reply(std::move(response));
}

void Api::compile(const Caller& caller, Request& request, const Reply& reply) {
  // A compile server learns from its proxy who asks.
  std::string student = std::to_string(caller.session.student);
  if (options_.compile_only) {
    student = request.header("x-warpshop-student");
    if (student.empty()) student = request.address;
  } else if (caller.session.student == 0) {
    student = "lecturer";
  }
  const CompilePool::Admitted admitted =
      parts_.pool->compile(student, std::move(request.body), [reply](SharedBytes answer) {
        Response response;
        response.type = "application/octet-stream";
        response.shared = std::move(answer);
        reply(std::move(response));
      });
  if (admitted == CompilePool::Admitted::kYes) return;
  const bool full = admitted == CompilePool::Admitted::kQueueFull;
  Response response = full ? problem(503, "too many compilations are waiting")
                           : problem(429, "two compilations of yours are waiting already");
  response.headers.emplace_back("Retry-After", full ? "5" : "1");
  reply(std::move(response));
}

}  // namespace warpshop::serve
