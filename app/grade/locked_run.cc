#include "locked_run.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/child_process.h"
#include "journal.h"

namespace warpshop::grade {
namespace {

using Json = nlohmann::ordered_json;

constexpr size_t kMostOutput = size_t{8} << 20;
constexpr size_t kMostPtx = size_t{4} << 20;
constexpr size_t kMostMessages = 20;
constexpr size_t kLongestMessage = 1500;

std::string shortened(std::string text) {
  if (text.size() <= kLongestMessage) return text;
  text.resize(kLongestMessage);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80) != 0) text.pop_back();
  return text + " …";
}

Json json_of_dim(const emulator::Dim3& dim) { return Json::array({dim.x, dim.y, dim.z}); }
emulator::Dim3 dim_of(const Json& json) {
  return {json.at(0).get<uint32_t>(), json.at(1).get<uint32_t>(), json.at(2).get<uint32_t>()};
}

// The second line of a child: for the GPU.
std::string launches_line(const lab::RunResult& result) {
  Json sizes = Json::array();
  for (const lab::SizeResult& size : result.sizes) {
    sizes.push_back({json_of_dim(size.student.grid), json_of_dim(size.student.block),
                     size.student.dynamic_shared_bytes, json_of_dim(size.reference.grid),
                     json_of_dim(size.reference.block), size.reference.dynamic_shared_bytes});
  }
  const std::string& ptx = result.sizes.front().student.ptx;
  return Json{{"sizes", sizes}, {"ptx", ptx.size() <= kMostPtx ? ptx : std::string()}}.dump(
             -1, ' ', false, Json::error_handler_t::replace) +
         "\n";
}

void read_launches(std::string_view line, Judged& out) {
  try {
    const Json json = Json::parse(line);
    out.ptx = json.at("ptx").get<std::string>();
    for (const Json& size : json.at("sizes")) {
      LaunchedSize launched;
      launched.student_grid = dim_of(size.at(0));
      launched.student_block = dim_of(size.at(1));
      launched.student_shared_bytes = size.at(2).get<uint32_t>();
      launched.reference_grid = dim_of(size.at(3));
      launched.reference_block = dim_of(size.at(4));
      launched.reference_shared_bytes = size.at(5).get<uint32_t>();
      out.sizes.push_back(launched);
    }
  } catch (const std::exception&) {
    out.ptx.clear();
  }
}

void send(int pipe, const std::string& text) {
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = ::write(pipe, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return;
    at += static_cast<size_t>(written);
  }
}

Grade over_memory(const SandboxRules& rules) {
  Grade grade;
  grade.verdict = Verdict::kLimit;
  grade.reason =
      "it needs more than " + std::to_string(rules.memory_bytes >> 20) + " MiB of memory";
  return grade;
}

// Never returns.
void run_child(lab::Runner& runner, const lab::RunRequest& request, const SandboxRules& rules,
               const std::filesystem::path& folder, bool with_ptx, int pipe) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  ::signal(SIGINT, SIG_IGN);
  const int nothing = ::open("/dev/null", O_RDWR);
  for (int fd = 0; fd <= 2; ++fd) ::dup2(nothing, fd);
  const int out = pipe == 3 ? 3 : ::dup2(pipe, 3);
#ifdef CLOSE_RANGE_UNSHARE
  ::close_range(4, ~0U, 0);
#else
  for (int fd = 4; fd < 1024; ++fd) ::close(fd);
#endif
  if (::chdir(folder.c_str()) != 0) ::_exit(1);
  enter_sandbox(rules);
  try {
    const lab::RunResult result = runner.run(request);
    send(out, line_of(judge(result)));
    if (with_ptx && result.passed) send(out, launches_line(result));
  } catch (const std::bad_alloc&) {
    send(out, line_of(over_memory(rules)));
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

}  // namespace

Grade judge(const lab::RunResult& result) {
  Grade grade;
  grade.seconds = result.seconds;
  bool lab_broken = false;
  const Diagnostic* first = nullptr;
  for (const Diagnostic& diagnostic : result.diagnostics) {
    if (grade.messages.size() < kMostMessages)
      grade.messages.push_back(shortened(render(diagnostic)));
    if (diagnostic.severity != Severity::kError) continue;
    lab_broken |= diagnostic.kind == "lab-file" || diagnostic.kind == "nvrtc";
    if (first == nullptr) first = &diagnostic;
  }
  for (const lab::SizeResult& size : result.sizes) {
    for (const emulator::Finding& finding : size.student.findings) {
      if (grade.messages.size() >= kMostMessages) break;
      Diagnostic diagnostic{
          finding.severity, std::string(emulator::name_of(finding.kind)), finding.place,
          std::string(emulator::name_of(finding.kind)) + ": " + finding.message, finding.cause};
      std::string text = shortened(render(diagnostic));
      if (std::find(grade.messages.begin(), grade.messages.end(), text) == grade.messages.end())
        grade.messages.push_back(std::move(text));
    }
  }
  const lab::CheckResult* failed = nullptr;
  for (const lab::CheckResult& check : result.checks) {
    grade.checks.push_back(line_of(check));
    if (!check.passed && failed == nullptr) failed = &check;
  }
  if (result.passed) {
    grade.verdict = Verdict::kPassed;
  } else if (lab_broken) {
    grade.verdict = Verdict::kNoVerdict;
    grade.reason = shortened(first->message);
  } else if (first != nullptr) {
    grade.verdict = Verdict::kBroken;
    grade.reason =
        shortened((first->place.line > 0 ? "line " + std::to_string(first->place.line) + ": "
                                         : std::string()) +
                  first->message);
  } else {
    grade.verdict = Verdict::kFailed;
    if (failed != nullptr) grade.reason = reason_of(*failed);
  }
  return grade;
}

CheckLine line_of(const lab::CheckResult& check) {
  return {check.id, check.title, check.passed, shortened(check.got), shortened(check.wanted)};
}

std::string reason_of(const lab::CheckResult& failed) {
  return shortened(failed.title + ": got " + failed.got + ", wanted " + failed.wanted +
                   (failed.message.empty() ? "" : "; " + failed.message));
}

Result<LockedRun> LockedRun::start(lab::Runner& runner, const lab::RunRequest& request,
                                   const SandboxRules& rules, const std::filesystem::path& folder,
                                   bool with_ptx) {
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return make_error("tool", std::string("no pipe: ") + std::strerror(errno));
  }
  LockedRun out;
  out.begin_ = Clock::now();
  out.pid_ = ::fork();
  if (out.pid_ < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return make_error("tool", std::string("no process: ") + std::strerror(errno));
  }
  if (out.pid_ == 0) {
    ::close(ends[0]);
    run_child(runner, request, rules, folder, with_ptx, ends[1]);
  }
  ::close(ends[1]);
  ::setpgid(out.pid_, out.pid_);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  out.pipe_ = ends[0];
  return out;
}

LockedRun::LockedRun(LockedRun&& other) noexcept { *this = std::move(other); }

LockedRun& LockedRun::operator=(LockedRun&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(pipe_, other.pipe_);
  std::swap(begin_, other.begin_);
  std::swap(output_, other.output_);
  std::swap(flooded_, other.flooded_);
  return *this;
}

LockedRun::~LockedRun() {
  kill();
  if (pipe_ >= 0) ::close(pipe_);
}

void LockedRun::kill() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

bool LockedRun::read() {
  char buffer[1 << 16];
  for (;;) {
    const ssize_t got = ::read(pipe_, buffer, sizeof buffer);
    if (got > 0) {
      output_.append(buffer, static_cast<size_t>(got));
      flooded_ = output_.size() > kMostOutput;
      if (flooded_) return true;
      continue;
    }
    if (got < 0 && errno == EINTR) continue;
    return got == 0 || errno != EAGAIN;
  }
}

double LockedRun::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

Judged LockedRun::take(const SandboxRules& rules, double limit_s) {
  Judged out;
  const double took = seconds();
  int status = 0;
  bool ended = false;
  // Its end of the pipe is closed: it ends within a moment, or is ended.
  for (int wait = 0; wait < 200 && !ended && !flooded_ && took <= limit_s; ++wait) {
    ended = ::waitpid(pid_, &status, WNOHANG) == pid_;
    if (!ended) ::usleep(1000);
  }
  if (ended) {
    pid_ = -1;
  } else {
    kill();
  }
  const size_t line = output_.find('\n');
  Result<Grade> grade = line == std::string::npos
                            ? Result<Grade>(make_error("journal", "no line"))
                            : grade_of(std::string_view(output_).substr(0, line));
  if (grade.ok() && !flooded_) {
    out.grade = std::move(*grade);
    const size_t second = output_.find('\n', line + 1);
    if (second != std::string::npos)
      read_launches(std::string_view(output_).substr(line + 1, second - line - 1), out);
    out.grade.seconds = took;
    return out;
  }
  out.grade.verdict = Verdict::kLimit;
  out.grade.seconds = took;
  char limit[32];
  std::snprintf(limit, sizeof limit, "%g s", limit_s);
  if (flooded_) {
    out.grade.reason = "its result is larger than any result can be";
  } else if (took > limit_s || (ended && WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)) {
    out.grade.reason =
        "compiling and running it took longer than " + std::string(limit) + ", and it was ended";
  } else {
    out.grade.reason =
        "its process " + (ended ? wait_status_text(status).english() : std::string("was ended")) +
        " before there was a result: it needs more than " +
        std::to_string(rules.memory_bytes >> 20) + " MiB of memory, or crashes the compiler";
  }
  return out;
}

}  // namespace warpshop::grade
