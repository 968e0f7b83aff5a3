#include "serve/compile_child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "compile/compiler.h"
#include "compile/job_end.h"
#include "compile/locked_nvrtc.h"
#include "compile/remote.h"
#include "compile_process.h"
#include "core/charconv.h"
#include "core/descriptor.h"
#include "core/files.h"
#include "core/read_some.h"
#include "core/sandbox.h"
#include "core/write_all.h"

namespace warpshop::serve {
namespace {

using Why = compile::NoAnswer::Why;

constexpr int kOut = 3;  // 1 is left to libraries, which may print
constexpr int kChannel = 4;

std::string one_line(std::string text) {
  for (char& c : text) {
    if (c == '\n' || c == '\t') c = ' ';
  }
  return text;
}

std::optional<std::string> next_request(std::string& pending) {
  size_t end = 0;
  while ((end = pending.find('\n')) == std::string::npos) {
    if (!read_some(0, pending)) return std::nullopt;
  }
  const std::optional<size_t> size = parse_number<size_t>(std::string_view(pending).substr(0, end));
  if (!size || *size > kMostAnswerBytes) return std::nullopt;
  pending.erase(0, end + 1);
  while (pending.size() < *size) {
    if (!read_some(0, pending)) return std::nullopt;
  }
  std::string request = pending.substr(0, *size);
  pending.erase(0, *size);
  return request;
}

Diagnostics without_reasons(Diagnostics diagnostics) {
  for (Diagnostic& diagnostic : diagnostics) diagnostic = without_reason(std::move(diagnostic));
  return diagnostics;
}

class Forker {
 public:
  Forker(compile::LockedNvrtc nvrtc, const CompileLimits& limits)
      : nvrtc_(std::move(nvrtc)), limits_(limits), rules_(nvrtc_.rules()) {}

  const compile::Compiler& compiler() const { return nvrtc_.compiler(); }
  std::string locks() const { return nvrtc_.report().text(); }

  // The lines of one request's outcome.
  std::string outcome(const std::string& request) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return "open no pipe\n";
    const Status opened = nvrtc_.open();
    if (!opened.ok()) {
      ::close(ends[0]);
      ::close(ends[1]);
      return "open " + one_line(opened.errors().front().message) + "\n";
    }
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid == 0) run(request, ends[1], parent);
    nvrtc_.close();
    ::close(ends[1]);
    const Descriptor pipe(ends[0]);
    if (pid < 0) return std::string("open no process: ") + std::strerror(errno) + "\n";
    std::string said;
    while (said.size() <= kMostAnswerBytes && read_some(pipe.get(), said)) {
    }
    if (said.size() > kMostAnswerBytes) ::kill(pid, SIGKILL);
    int status = 0;
    rusage used{};
    while (::wait4(pid, &status, 0, &used) < 0 && errno == EINTR) {
    }
    if (status == 0 && said.starts_with('E')) return said.substr(1) + "\n";
    if (status == 0 && said.starts_with('A'))
      return "answer " + std::to_string(said.size() - 1) + "\n" + said.substr(1);
    if (said.starts_with('O')) return compile::line_of_open(said.substr(1));
    return compile::line_of_end(status, static_cast<uint64_t>(used.ru_maxrss) * 1024);
  }

 private:
  [[noreturn]] void run(const std::string& request, int pipe, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    ::signal(SIGPIPE, SIG_IGN);
    const int channel = ::fcntl(nvrtc_.channel(), F_DUPFD, kChannel + 1);
    const int out = ::fcntl(pipe, F_DUPFD, kChannel + 1);
    if (::dup2(out, kOut) < 0 || ::dup2(channel, kChannel) < 0 ||
        ::dup2(::open("/dev/null", O_RDWR), 0) < 0)
      ::_exit(1);
    close_descriptors_from(kChannel + 1);
    nvrtc_.channel_is_at(kChannel);
    const SandboxReport report = enter_sandbox(rules_);
    if (!report.holds(nvrtc_.report())) {
      write_all(kOut, "O" + report.problem);
      ::_exit(1);
    }
    try {
      Result<compile::CompileInput> input = compile::input_of(
          request, {compile::RemoteLimits().most_bytes, static_cast<double>(limits_.seconds)});
      Result<compile::CompileOutput> output =
          input.ok() ? compiler().compile(*input) : Result<compile::CompileOutput>(input.errors());
      if (!nvrtc_.end_line().empty()) {
        write_all(kOut, "E" + nvrtc_.end_line());
        ::_exit(0);
      }
      // As when the system kills this process: what it was given is compiled another time.
      if (nvrtc_.no_answer() && nvrtc_.no_answer()->why == Why::kKilled) ::raise(SIGKILL);
      if (!output.ok()) output = without_reasons(output.errors());
      write_all(kOut, "A" + compile::answer_of(output));
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }

  compile::LockedNvrtc nvrtc_;
  CompileLimits limits_;
  SandboxRules rules_;
};

// A file that this process can write, and no compilation may.
class ForbiddenFile {
 public:
  ForbiddenFile() : file_(::mkstemp(path_.data())) {}
  ~ForbiddenFile() {
    if (file_.is_open()) ::unlink(path_.c_str());
  }
  bool exists() const { return file_.is_open(); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/warpshop-XXXXXX";
  Descriptor file_;
};

Result<compile::LockedNvrtc> locked_nvrtc(const CompileLimits& limits) {
  const ForbiddenFile forbidden;
  if (!forbidden.exists())
    return make_error("file",
                      sentence("/tmp cannot be written: {why}", {{"why", std::strerror(errno)}}));
  compile::LockedLimits locked;
  locked.memory_bytes = limits.memory_bytes;
  // NVRTC itself ends before.
  locked.cpu_seconds = static_cast<uint64_t>(limits.seconds) + 1;
  locked.readable = {data_dir() / "kernels"};
  return compile::LockedNvrtc::start(locked, forbidden.path());
}

void compile_for_parent(const CompileLimits& limits) {
  ::dup2(1, kOut);
  ::dup2(2, 1);
  close_descriptors_from(kOut + 1);
  ::signal(SIGINT, SIG_IGN);
  Result<compile::LockedNvrtc> nvrtc = locked_nvrtc(limits);
  if (!nvrtc.ok()) {
    const Diagnostic& error = nvrtc.errors().front();
    write_all(kOut, "failed " + one_line(error.message) + "\t" + one_line(error.help) + "\n");
    return;
  }
  Forker forker(std::move(*nvrtc), limits);
  if (!write_all(kOut, "ready " + forker.compiler().version() + "\t" +
                           forker.compiler().library_path() + "\t" + one_line(forker.locks()) +
                           "\n"))
    return;
  std::string pending;
  while (const std::optional<std::string> request = next_request(pending)) {
    if (!write_all(kOut, forker.outcome(*request))) return;
  }
}

}  // namespace

void compile_for_class_if_child(int argc, char** argv) {
  if (argc != 4 || std::string_view(argv[1]) != kCompileChildArgument) return;
  CompileLimits limits;
  limits.memory_bytes = std::strtoull(argv[2], nullptr, 10);
  limits.seconds = static_cast<int>(std::strtol(argv[3], nullptr, 10));
  compile_for_parent(limits);
  ::_exit(0);
}

}  // namespace warpshop::serve
