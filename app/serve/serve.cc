#include "serve/serve.h"

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <malloc.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sys/resource.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "api.h"
#include "classroom.h"
#include "compile_pool.h"
#include "core/child_process.h"
#include "core/files.h"
#include "core/process_limits.h"
#include "gpu_queue.h"
#include "http.h"
#include "labs_json.h"
#include "members.h"
#include "secrets.h"
#include "store.h"
#include "student_files.h"

namespace warpshop::serve {
namespace {

using namespace std::chrono_literals;
using Say = std::function<void(const std::string&)>;

constexpr size_t kOtherDescriptors = 128;

// The addresses under which other machines may know this one.
std::vector<std::string> own_addresses() {
  std::vector<std::string> out;
  ifaddrs* list = nullptr;
  if (::getifaddrs(&list) != 0) return out;
  for (const ifaddrs* at = list; at != nullptr; at = at->ifa_next) {
    if (at->ifa_addr == nullptr || at->ifa_addr->sa_family != AF_INET ||
        (at->ifa_flags & IFF_LOOPBACK) != 0)
      continue;
    in_addr address = reinterpret_cast<const sockaddr_in*>(at->ifa_addr)->sin_addr;
    std::array<char, INET_ADDRSTRLEN> text{};
    if (::inet_ntop(AF_INET, &address, text.data(), text.size()) != nullptr)
      out.emplace_back(text.data());
  }
  ::freeifaddrs(list);
  return out;
}

bool is_loopback(std::string_view address) {
  return address.starts_with("127.") || address == "::1";
}

std::vector<std::string> addresses_of(const std::string& address, uint16_t port) {
  std::vector<std::string> hosts = {address};
  if (address == "0.0.0.0" || address == "::") hosts = own_addresses();
  std::vector<std::string> out;
  for (const std::string& host : hosts) {
    const bool v6 = host.find(':') != std::string::npos;
    out.push_back("http://" + (v6 ? "[" + host + "]" : host) + ":" + std::to_string(port) + "/");
  }
  return out;
}

// A setting that is kept: `wanted` if there is one, else the one kept, else `fresh`.
std::string kept_setting(Database& database, const char* key, const std::string& wanted,
                         const std::string& fresh) {
  std::string value = wanted;
  if (value.empty()) {
    Query query = database.query("SELECT value FROM settings WHERE key = ?");
    query.bind(std::string_view(key));
    value = query.step() ? query.text(0) : fresh;
  }
  database.query("INSERT OR REPLACE INTO settings (key, value) VALUES (?, ?)")
      .bind(std::string_view(key))
      .bind(value)
      .run();
  return value;
}

// Connections are descriptors.
size_t most_connections(size_t wanted) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const auto most =
      limit_process(RLIMIT_NOFILE, std::min<uint64_t>(wanted + kOtherDescriptors, limit.rlim_max),
                    limit.rlim_max);
  const uint64_t got = most.value_or(limit.rlim_cur);
  return std::min<uint64_t>(wanted,
                            got > 2 * kOtherDescriptors ? got - kOtherDescriptors : got / 2);
}

Status check(const ServeOptions& options) {
  if (options.one_user && !is_loopback(options.address)) {
    return make_error(
        "usage",
        sentence("--one-user lets everybody in who reaches the address {address}",
                 {{"address", options.address}}),
        sentence("leave --address out: a proxy on this machine can then ask people who "
                 "they are"));
  }
  if (options.one_user && options.compile_only)
    return make_error("usage", sentence("--one-user and --compile-only exclude each other"));
  const std::string code = plain_code(options.code);
  if (!options.code.empty() && (code.size() < 4 || code.size() > 20)) {
    return make_error("usage", sentence("--code: 4 to 20 letters and digits are expected"),
                      sentence("leave it out for a new one that nobody guesses"));
  }
  for (const std::string& worker : options.workers) {
    if (worker.empty()) continue;
    const Result<std::vector<std::string>> words = split_command(worker);
    if (!words.ok()) return words.errors();
  }
  return success();
}

class Server {
 public:
  Server(const ServeOptions& options, const Say& log) : options_(options), log_(log) {}
  ~Server() {
    // Threads whose answers come to the loop, first.
    gpus_.reset();
    pool_.reset();
    store_.reset();
  }

  Status prepare();
  void run(const StopFlag& stop);
  void introduce(const Say& say) const;

 private:
  Status open_store();

  ServeOptions options_;
  Say log_;
  std::unique_ptr<HttpServer> http_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<CompilePool> pool_;
  LabsJson labs_;
  std::unique_ptr<Members> members_;
  std::unique_ptr<Classroom> classroom_;
  std::unique_ptr<StudentFiles> files_;
  std::unique_ptr<GpuQueue> gpus_;
  std::unique_ptr<Api> api_;
  std::string code_, token_;
  StudentId only_student_ = 0;
};

Status Server::open_store() {
  const std::filesystem::path folder = options_.data.empty()
                                           ? user_dir() / (options_.one_user ? "one-user" : "class")
                                           : options_.data;
  Result<std::unique_ptr<Store>> store = Store::open(folder, options_.data_bytes);
  if (!store.ok()) return store.errors();
  store_ = std::move(*store);
  members_ = std::make_unique<Members>(*store_);
  return store_->load([this](Database& database) {
    members_->load(database);
    options_.title = kept_setting(database, "title", options_.title, "Warpshop");
    code_ = kept_setting(database, "code", plain_code(options_.code), random_code(6));
    token_ = kept_setting(database, "lecturer", "", random_code(20));
    if (options_.one_user) only_student_ = members_->only_one(database);
    classroom_ = std::make_unique<Classroom>(*store_, *members_, labs_, options_.title, log_);
    classroom_->load(database);
  });
}

Status Server::prepare() {
  if (Status checked = check(options_); !checked.ok()) return checked;
  HttpLimits limits;
  limits.connections = most_connections(options_.connections);
  limits.per_address = std::max<size_t>(limits.connections / 2, 1);
  limits.proxies.insert(limits.proxies.end(), options_.proxies.begin(), options_.proxies.end());
  HttpHandlers handlers;
  handlers.admit = [this](Request& head) { return api_->admit(head); };
  handlers.answer = [this](Request request, Reply reply) {
    api_->answer(std::move(request), std::move(reply));
  };
  handlers.socket = [this](const Request& request) { return api_->socket(request); };
  handlers.log = log_;
  // The port first: nothing is kept or started for a second server by mistake.
  Result<std::unique_ptr<HttpServer>> http =
      HttpServer::listen(options_.address, options_.port, limits, std::move(handlers));
  if (!http.ok()) return http.errors();
  http_ = std::move(*http);

  ApiParts parts;
  if (!options_.compile_only) {
    if (Status opened = open_store(); !opened.ok()) return opened;
    files_ = std::make_unique<StudentFiles>(*store_, FileLimits());
    (void)labs_.step("", "");  // read now, not while somebody waits
    ::malloc_trim(0);          // what reading them took is not needed again
  }
  PoolLimits pool_limits;
  pool_limits.children = options_.compilers;
  pool_limits.compile = {options_.memory_bytes, options_.compile_seconds};
  Result<std::unique_ptr<CompilePool>> pool = CompilePool::start(pool_limits, log_);
  if (!pool.ok()) return pool.errors();
  pool_ = std::move(*pool);

  const auto post = [this](std::function<void()> work) { http_->post(std::move(work)); };
  if (store_) store_->start(post);
  if (!options_.workers.empty() && classroom_) {
    gpus_ = std::make_unique<GpuQueue>(
        options_.workers, post,
        [this](nlohmann::json message) {
          for (nlohmann::json& job : message["queue"]) {
            if (const Student* student = members_->find(job["student"]))
              job["name"] = student->name;
          }
          classroom_->gpu_changed(std::move(message));
        },
        log_);
  }
  parts.pool = pool_.get();
  parts.store = store_.get();
  parts.members = members_.get();
  parts.classroom = classroom_.get();
  parts.files = files_.get();
  parts.labs = &labs_;
  parts.gpus = gpus_.get();
  api_ = std::make_unique<Api>(options_, parts, log_);
  api_->code = code_;
  api_->lecturer_token = token_;
  api_->addresses = addresses_of(options_.address, http_->port());
  api_->only_student = only_student_;
  return success();
}

void Server::introduce(const Say& say) const {
  const std::vector<std::string>& addresses = api_->addresses;
  if (options_.compile_only) {
    say("Compiling for other servers at " + addresses.front() + "api/compile");
  } else if (options_.one_user) {
    say("Open " + addresses.front());
  } else {
    say(options_.title);
    for (const std::string& address : addresses) say("  students open   " + address);
    say("  join code       " + api_->code);
    say("  lecturer's page " + addresses.front() + "lecturer");
    say("  lecturer's token " + api_->lecturer_token);
  }
  if (store_) say("  kept in         " + store_->folder().string());
  say("  compiler        NVRTC " + pool_->version() + ", " +
      std::to_string(pool_->figures().children) + " at once; " + pool_->locks());
  const bool far = !is_loopback(options_.address) && !options_.compile_only;
  if (far) {
    say("Browsers on other machines run the lab only over https: put a proxy with a certificate in "
        "front (docs/serving.md).");
  }
  if (!options_.compile_only && !options_.one_user && !far)
    say("Only this machine reaches the address: --address 0.0.0.0 lets others in.");
  say("Ctrl-C ends it.");
}

void Server::run(const StopFlag& stop) {
  int ticks = 0;
  std::function<void()> tick = [&] {
    if (stop.requested()) return http_->stop();
    if (++ticks % 5 == 0 && classroom_) classroom_->tick();
    if (ticks % 150 == 0 && members_) members_->save_seen();
    http_->after(200ms, tick);
  };
  tick();
  http_->run();
  if (classroom_) classroom_->tick();
  if (members_) members_->save_seen();
}

}  // namespace

Status serve(const ServeOptions& options, const StopFlag& stop, const Say& say, const Say& log) {
  Server server(options, log);
  if (Status prepared = server.prepare(); !prepared.ok()) return prepared;
  server.introduce(say);
  server.run(stop);
  return success();
}

}  // namespace warpshop::serve
