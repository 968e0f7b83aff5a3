#include "compile_process.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "compile/compiler.h"
#include "compile/remote.h"
#include "core/charconv.h"
#include "core/descriptor.h"
#include "core/files.h"
#include "core/write_all.h"
#include "grade/sandbox.h"
#include "serve/compile_child.h"

namespace warpshop::serve {
namespace {

using namespace std::chrono_literals;
using compile::NoAnswer;
using Why = NoAnswer::Why;
using Clock = ChildProcess::Clock;
using Read = ChildProcess::Read;

constexpr std::string_view kArgument = "--compile-child";
constexpr size_t kMostAnswer = size_t{64} << 20;
constexpr int kOut = 3;  // 1 is left to NVRTC, which may print

// The child: after a line "ready" or "failed", it reads a line with a request's length and the
// request, and writes "answer LENGTH" and the answer, "ended STATUS BYTES" with the fork's wait
// status and memory, or "open WHY" if it could not be locked.

// Appends up to `most` bytes; false at the end or after an error.
bool read_some(int fd, std::string& text, size_t most = size_t{1} << 16) {
  std::vector<char> buffer(most);
  ssize_t got = 0;
  do {
    got = ::read(fd, buffer.data(), buffer.size());
  } while (got < 0 && errno == EINTR);
  if (got > 0) text.append(buffer.data(), static_cast<size_t>(got));
  return got > 0;
}

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
  if (!size || *size > kMostAnswer) return std::nullopt;
  pending.erase(0, end + 1);
  while (pending.size() < *size) {
    if (!read_some(0, pending)) return std::nullopt;
  }
  std::string request = pending.substr(0, *size);
  pending.erase(0, *size);
  return request;
}

Diagnostics without_reasons(Diagnostics diagnostics) {
  for (Diagnostic& diagnostic : diagnostics)
    diagnostic = grade::without_reason(std::move(diagnostic));
  return diagnostics;
}

class Forker {
 public:
  Forker(compile::Compiler compiler, const CompileLimits& limits)
      : compiler_(std::move(compiler)), limits_(limits), promised_(grade::sandbox_support()) {
    rules_.memory_bytes = limits.memory_bytes;
    rules_.cpu_seconds = static_cast<uint64_t>(limits.seconds) + 1;  // NVRTC itself ends before
    rules_.readable = {data_dir() / "assets" / "prelude", data_dir() / "kernels",
                       std::filesystem::path(compiler_.library_path()).parent_path()};
    for (const std::filesystem::path& headers : compiler_.include_paths())
      rules_.readable.push_back(headers);
  }

  // Makes NVRTC load everything that it loads late, and tests the sandbox.
  Status prepare() {
    compile::CompileInput input;
    input.source = "__global__ void warm_up() {}";
    input.file_name = "warm_up.cu";
    const Result<compile::CompileOutput> output = compiler_.compile(input);
    if (!output.ok()) return output.errors();
    std::string forbidden = "/tmp/warpshop-XXXXXX";
    const Descriptor file(::mkstemp(forbidden.data()));
    if (!file.is_open())
      return make_error("file",
                        sentence("/tmp cannot be written: {why}", {{"why", std::strerror(errno)}}));
    const Result<grade::SandboxReport> proof = grade::prove_sandbox(rules_, forbidden);
    ::unlink(forbidden.c_str());
    if (!proof.ok()) return proof.errors();
    locks_ = proof->text();
    return success();
  }
  const std::string& locks() const { return locks_; }

  // The lines of one request's outcome.
  std::string outcome(const std::string& request) {
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return "open no pipe\n";
    const pid_t parent = ::getpid();
    const pid_t pid = ::fork();
    if (pid < 0) return std::string("open no process: ") + std::strerror(errno) + "\n";
    if (pid == 0) run(request, ends[1], parent);
    ::close(ends[1]);
    const Descriptor pipe(ends[0]);
    std::string said;
    while (said.size() <= kMostAnswer && read_some(pipe.get(), said)) {
    }
    if (said.size() > kMostAnswer) ::kill(pid, SIGKILL);
    int status = 0;
    rusage used{};
    while (::wait4(pid, &status, 0, &used) < 0 && errno == EINTR) {
    }
    if (status == 0 && said.starts_with('A'))
      return "answer " + std::to_string(said.size() - 1) + "\n" + said.substr(1);
    if (said.starts_with('O')) return "open " + one_line(said.substr(1)) + "\n";
    return "ended " + std::to_string(status) + " " + std::to_string(used.ru_maxrss * 1024) + "\n";
  }

 private:
  [[noreturn]] void run(const std::string& request, int pipe, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != parent) ::_exit(1);
    if (::dup2(pipe, kOut) < 0 || ::dup2(::open("/dev/null", O_RDWR), 0) < 0) ::_exit(1);
    close_descriptors_from(kOut + 1);
    const grade::SandboxReport report = grade::enter_sandbox(rules_);
    if (!report.holds(promised_)) {
      write_all(kOut, "O" + report.problem);
      ::_exit(1);
    }
    try {
      Result<compile::CompileInput> input = compile::input_of(
          request, {compile::RemoteLimits().most_bytes, static_cast<double>(limits_.seconds)});
      Result<compile::CompileOutput> output =
          input.ok() ? compiler_.compile(*input) : Result<compile::CompileOutput>(input.errors());
      if (!output.ok()) output = without_reasons(output.errors());
      write_all(kOut, "A" + compile::answer_of(output));
    } catch (...) {
      ::_exit(1);
    }
    ::_exit(0);
  }

  compile::Compiler compiler_;
  CompileLimits limits_;
  grade::SandboxReport promised_;
  grade::SandboxRules rules_;
  std::string locks_;
};

void compile_for_parent(const CompileLimits& limits) {
  ::dup2(1, kOut);
  ::dup2(2, 1);
  close_descriptors_from(kOut + 1);
  ::signal(SIGINT, SIG_IGN);
  Result<compile::Compiler> compiler = compile::Compiler::load(compile::NvrtcPlace::kHere);
  Diagnostics problems;
  if (!compiler.ok()) problems = compiler.errors();
  std::optional<Forker> forker;
  if (problems.empty()) {
    forker.emplace(*compiler, limits);
    const Status prepared = forker->prepare();
    if (!prepared.ok()) problems = prepared.errors();
  }
  if (!problems.empty()) {
    write_all(kOut, "failed " + one_line(problems.front().message) + "\t" +
                        one_line(problems.front().help) + "\n");
    return;
  }
  if (!write_all(kOut, "ready " + compiler->version() + "\t" + compiler->library_path() + "\t" +
                           one_line(forker->locks()) + "\n"))
    return;
  std::string pending;
  while (const std::optional<std::string> request = next_request(pending)) {
    if (!write_all(kOut, forker->outcome(*request))) return;
  }
}

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == at) {
      out.emplace_back();
    } else {
      out.back() += c;
    }
  }
  return out;
}

}  // namespace

void compile_for_class_if_child(int argc, char** argv) {
  if (argc != 4 || std::string_view(argv[1]) != kArgument) return;
  CompileLimits limits;
  limits.memory_bytes = std::strtoull(argv[2], nullptr, 10);
  limits.seconds = static_cast<int>(std::strtol(argv[3], nullptr, 10));
  compile_for_parent(limits);
  ::_exit(0);
}

Result<CompileChild> CompileChild::start(const CompileLimits& limits) {
  Result<ChildProcess> process =
      ChildProcess::start({"/proc/self/exe", std::string(kArgument),
                           std::to_string(limits.memory_bytes), std::to_string(limits.seconds)});
  if (!process.ok()) return process.errors();
  CompileChild child(std::move(*process), limits);
  std::string line;
  if (child.process_.read_line(line, Clock::now() + 60s) != Read::kLine)
    return make_error("tool", sentence("the compiler's process did not start: {why}",
                                       {{"why", child.process_.error_tail()}}));
  const size_t space = line.find(' ');
  const std::string word = line.substr(0, space);
  const std::vector<std::string> parts = split(std::string_view(line).substr(space + 1), '\t');
  if (word != "ready" || parts.size() != 3)
    return make_error("nvrtc", parts.front(), parts.size() > 1 ? parts[1] : std::string());
  child.version_ = parts[0];
  child.library_ = parts[1];
  child.locks_ = parts[2];
  return child;
}

std::variant<std::string, NoAnswer> CompileChild::answer(const std::string& request,
                                                         const StopFlag* stop) {
  well_ = false;
  // On a busy machine the processor time takes longer to accumulate.
  const Clock::time_point end = Clock::now() + std::chrono::seconds(8 * limits_.seconds + 20);
  std::string line, bytes;
  if (!process_.write(std::to_string(request.size()) + "\n" + request, end))
    return NoAnswer{Why::kCrashed, sentence("closed its input")};
  const Read read = process_.read_line(line, end, stop);
  if (read == Read::kStopped) return NoAnswer{Why::kStopped, {}};
  if (read == Read::kTimeout) return NoAnswer{Why::kWaits, {}};
  const std::vector<std::string> words = split(line, ' ');
  if (read == Read::kLine && words[0] == "answer" && words.size() == 2) {
    const std::optional<size_t> size = parse_number<size_t>(words[1]);
    if (size && *size <= kMostAnswer && process_.read_bytes(bytes, *size, end) == Read::kLine) {
      well_ = true;
      return bytes;
    }
  } else if (read == Read::kLine && words[0] == "open") {
    return NoAnswer{Why::kNotStarted, line.substr(5)};
  } else if (read == Read::kLine && words[0] == "ended" && words.size() == 3) {
    const std::optional<int> status = parse_number<int>(words[1]);
    const std::optional<uint64_t> peak = parse_number<uint64_t>(words[2]);
    if (status && peak) {
      well_ = true;
      const int signal = WIFSIGNALED(*status) ? WTERMSIG(*status) : 0;
      if (signal == SIGXCPU) return NoAnswer{Why::kLate, {}};
      if (*peak > limits_.memory_bytes / 2) return NoAnswer{Why::kMemory, {}};
      return NoAnswer{signal == SIGKILL || signal == SIGTERM ? Why::kKilled : Why::kCrashed,
                      wait_status_text(*status)};
    }
  }
  return NoAnswer{Why::kKilled, sentence("ended")};
}

}  // namespace warpshop::serve
