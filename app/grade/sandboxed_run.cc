#include "sandboxed_run.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>
#include <nlohmann/json.hpp>
#include <utility>

#include "core/child_process.h"
#include "core/descriptor.h"
#include "core/files.h"
#include "core/json_text.h"
#include "core/write_all.h"
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

// The child's third line: data for the GPU.
std::string launches_line(const lab::RunResult& result) {
  Json sizes = Json::array();
  for (const lab::SizeResult& size : result.sizes) {
    sizes.push_back({size.student.grid, size.student.block, size.student.dynamic_shared_bytes,
                     size.reference.grid, size.reference.block,
                     size.reference.dynamic_shared_bytes});
  }
  const std::string& ptx = result.sizes.front().student.ptx;
  return json_text(Json{{"sizes", sizes}, {"ptx", ptx.size() <= kMostPtx ? ptx : std::string()}}) +
         "\n";
}

std::optional<Launches> read_launches(std::string_view line) {
  try {
    const Json json = Json::parse(line);
    Launches out;
    out.ptx = json.at("ptx").get<std::string>();
    for (const Json& size : json.at("sizes")) {
      LaunchedSize launched;
      launched.student_grid = size.at(0).get<Dim3>();
      launched.student_block = size.at(1).get<Dim3>();
      launched.student_shared_bytes = size.at(2).get<uint32_t>();
      launched.reference_grid = size.at(3).get<Dim3>();
      launched.reference_block = size.at(4).get<Dim3>();
      launched.reference_shared_bytes = size.at(5).get<uint32_t>();
      out.sizes.push_back(launched);
    }
    return out;
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

Grade over_memory(const SandboxRules& rules) {
  Grade grade;
  grade.verdict = Verdict::kLimit;
  grade.reason =
      "it needs more than " + std::to_string(rules.memory_bytes >> 20) + " MiB of memory";
  return grade;
}

std::string seconds_words(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%g s", seconds);
  return text;
}

std::string over_time(const Walls& walls) {
  return "compiling and running it took longer than " + seconds_words(walls.cpu_limit_s) +
         " of processor time; terminated";
}

// A compiler that reached a limit or crashed is the submission's doing; whatever else ended it has
// made judge() say that there is no verdict.
void blame_for(const compile::NoAnswer& none, const Walls& walls, Grade& grade) {
  using Why = compile::NoAnswer::Why;
  if (none.why != Why::kLate && none.why != Why::kMemory && none.why != Why::kCrashed) return;
  grade.verdict = Verdict::kLimit;
  if (none.why == Why::kLate) grade.reason = over_time(walls);
  if (none.why == Why::kMemory) grade.reason = over_memory(walls.rules).reason;
}

constexpr int kPipe = 3;      // the child's end
constexpr int kReadable = 4;  // the student's folder
constexpr int kChannel = 5;   // to the compiler

// Leaves the child only descriptors 0–2 on /dev/null, its pipe, the folder it may read, and its
// channel to the compiler. False: see errno.
bool keep_only(int pipe, int readable, int channel) {
  // Move them above all descriptor numbers assigned below first.
  const int out = ::fcntl(pipe, F_DUPFD, kChannel + 1);
  const int folder = ::fcntl(readable, F_DUPFD, kChannel + 1);
  const int compiler = ::fcntl(channel, F_DUPFD, kChannel + 1);
  const int nothing = ::open("/dev/null", O_RDWR);
  if (out < 0 || folder < 0 || compiler < 0 || nothing < 0) return false;
  for (int fd = 0; fd <= 2; ++fd) {
    if (::dup2(nothing, fd) < 0) return false;
  }
  if (::dup2(out, kPipe) < 0 || ::dup2(folder, kReadable) < 0 || ::dup2(compiler, kChannel) < 0)
    return false;
  close_descriptors_from(kChannel + 1);
  return true;
}

// Writes one line each: the sandbox, the grade, the launches.
[[noreturn]] void run_child(lab::Runner& runner, compile::LockedNvrtc& nvrtc,
                            const lab::RunRequest& request, const Walls& walls, int folder,
                            bool with_ptx, int pipe, pid_t parent) {
  ::setpgid(0, 0);
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died before the line above
  ::signal(SIGINT, SIG_IGN);
  ::signal(SIGXFSZ, SIG_DFL);
  ::signal(SIGPIPE, SIG_IGN);  // a compiler that has ended
  SandboxReport report;
  if (::fchdir(folder) != 0 || !keep_only(pipe, walls.rules.folder, nvrtc.channel())) {
    report.problem = std::string("its folder and descriptors: ") + std::strerror(errno);
    (void)write_all(pipe, report.line());
    ::_exit(1);
  }
  nvrtc.channel_is_at(kChannel);
  SandboxRules rules = walls.rules;
  rules.folder = kReadable;
  report = enter_sandbox(rules);
  ::close(kReadable);
  (void)write_all(kPipe, report.line());
  if (!report.holds(walls.promised)) ::_exit(1);
  try {
    const lab::RunResult result = runner.run(request);
    Grade grade = judge(result);
    if (nvrtc.no_answer()) blame_for(*nvrtc.no_answer(), walls, grade);
    (void)write_all(kPipe, line_of(grade));
    if (with_ptx && result.passed) (void)write_all(kPipe, launches_line(result));
  } catch (const std::bad_alloc&) {
    (void)write_all(kPipe, line_of(over_memory(rules)));
  } catch (...) {
    ::_exit(1);
  }
  ::_exit(0);
}

// The state letter of proc_pid_stat(5): R runs or waits for a processor, S waits for something, D
// for a disk.
char state_of(pid_t pid) {
  const Result<std::string> stat = read_file("/proc/" + std::to_string(pid) + "/stat");
  const size_t name =
      stat.ok() ? stat->rfind(')') : std::string::npos;  // the name may contain anything
  return name == std::string::npos || name + 2 >= stat->size() ? '?' : (*stat)[name + 2];
}

// proc_pid_children(5). 0: it has none.
pid_t only_child_of(pid_t parent) {
  const std::string number = std::to_string(parent);
  const Result<std::string> list = read_file("/proc/" + number + "/task/" + number + "/children");
  return list.ok() ? std::atoi(list->c_str()) : 0;
}

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

Grade ended_with(Verdict verdict, std::string reason) {
  Grade grade;
  grade.verdict = verdict;
  grade.reason = std::move(reason);
  return grade;
}

std::string at_its_line(const SourcePlace& place, const std::string& message) {
  return shortened((place.line > 0 ? "line " + std::to_string(place.line) + ": " : std::string()) +
                   message);
}

}  // namespace

Grade judge(const lab::RunResult& result) {
  Grade grade;
  grade.seconds = result.seconds;
  bool lab_broken = false;
  std::optional<Diagnostic> first;
  for (const Diagnostic& said : result.diagnostics) {
    const Diagnostic diagnostic = without_reason(said);
    if (grade.messages.size() < kMostMessages) {
      grade.messages.push_back(shortened(render(diagnostic)));
    }
    if (diagnostic.severity != Severity::kError) continue;
    lab_broken |= diagnostic.kind == "lab-file" || is_machines_fault(diagnostic);
    if (!first) first = diagnostic;
  }
  const emulator::Finding* endless = nullptr;
  for (const lab::SizeResult& size : result.sizes) {
    for (const emulator::Finding& finding : size.student.findings) {
      if (finding.kind == emulator::FindingKind::kTimeout && endless == nullptr) endless = &finding;
      if (grade.messages.size() >= kMostMessages) break;
      Diagnostic diagnostic{
          finding.severity, emulator::diagnostic_kind_of(finding.kind), finding.place,
          std::string(emulator::name_of(finding.kind)) + ": " + finding.message, finding.cause};
      std::string text = shortened(render(diagnostic));
      if (std::find(grade.messages.begin(), grade.messages.end(), text) == grade.messages.end()) {
        grade.messages.push_back(std::move(text));
      }
    }
  }
  // Findings come before wrong results: they are mostly the cause of them.
  const lab::CheckResult* failed = nullptr;
  for (const lab::CheckResult& check : result.checks) {
    grade.checks.push_back(line_of(check));
    if (!check.passed && (failed == nullptr || check.id == "no-findings")) failed = &check;
  }
  if (result.passed) {
    grade.verdict = Verdict::kPassed;
  } else if (lab_broken) {
    grade.verdict = Verdict::kNoVerdict;
    grade.reason = shortened(first->message);
  } else if (first) {
    grade.verdict = Verdict::kBroken;
    grade.reason = at_its_line(first->place, first->message);
  } else if (endless) {
    grade.verdict = Verdict::kLimit;
    grade.reason = at_its_line(endless->place, endless->message);
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

Result<SandboxedRun> SandboxedRun::start(lab::Runner& runner, compile::LockedNvrtc& nvrtc,
                                         const lab::RunRequest& request, const Walls& walls,
                                         int folder, bool with_ptx) {
  const Status opened = nvrtc.open(folder, walls.rules.folder);
  if (!opened.ok()) return opened.errors();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0) {
    return make_error("tool", std::string("no pipe: ") + std::strerror(errno));
  }
  const pid_t parent = ::getpid();
  SandboxedRun out;
  out.begin_ = Clock::now();
  out.compiler_ = nvrtc.holder();
  out.pid_ = ::fork();
  if (out.pid_ != 0) nvrtc.close();
  if (out.pid_ < 0) {
    ::close(ends[0]);
    ::close(ends[1]);
    return make_error("tool", std::string("no process: ") + std::strerror(errno));
  }
  if (out.pid_ == 0) {
    ::close(ends[0]);
    run_child(runner, nvrtc, request, walls, folder, with_ptx, ends[1], parent);
  }
  ::close(ends[1]);
  ::setpgid(out.pid_, out.pid_);
  ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
  out.pipe_ = ends[0];
  return out;
}

SandboxedRun::SandboxedRun(SandboxedRun&& other) noexcept { *this = std::move(other); }

SandboxedRun& SandboxedRun::operator=(SandboxedRun&& other) noexcept {
  std::swap(pid_, other.pid_);
  std::swap(compiler_, other.compiler_);
  std::swap(pipe_, other.pipe_);
  std::swap(begin_, other.begin_);
  std::swap(output_, other.output_);
  std::swap(flooded_, other.flooded_);
  return *this;
}

SandboxedRun::~SandboxedRun() {
  kill();
  if (pipe_ >= 0) ::close(pipe_);
}

void SandboxedRun::kill() {
  if (pid_ <= 0) return;
  ::kill(-pid_, SIGKILL);
  ::kill(pid_, SIGKILL);
  while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
  }
  pid_ = -1;
}

bool SandboxedRun::read() {
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

double SandboxedRun::seconds() const {
  return std::chrono::duration<double>(Clock::now() - begin_).count();
}

Judged SandboxedRun::take(const Walls& walls) {
  Judged out;
  const double took = seconds();
  int status = 0;
  rusage used{};
  bool ended = false;
  // Its end of the pipe is closed: it exits within a moment or is killed.
  for (int wait = 0; wait < 200 && !ended && !flooded_ && took <= walls.wall_limit_s; ++wait) {
    ended = ::wait4(pid_, &status, WNOHANG, &used) == pid_;
    if (!ended) ::usleep(1000);
  }
  std::vector<std::string_view> lines;
  for (size_t begin = 0, end = 0;
       lines.size() < 3 && (end = output_.find('\n', begin)) != std::string::npos; begin = end + 1)
    lines.push_back(std::string_view(output_).substr(begin, end - begin));
  const std::optional<SandboxReport> report =
      lines.empty() ? std::nullopt : SandboxReport::of_line(lines[0]);
  Result<Grade> grade =
      lines.size() < 2 ? Result<Grade>(make_error("journal", "no line")) : grade_of(lines[1]);
  if (report && !report->holds(walls.promised)) {
    out.grade = ended_with(Verdict::kNoVerdict,
                           "its sandbox was incomplete, and nothing was read: " + report->problem);
  } else if (report && grade.ok() && !flooded_) {
    out.grade = std::move(*grade);
    if (lines.size() > 2) out.launches = read_launches(lines[2]);
  } else {
    out.grade = without_result(walls, took, ended, status,
                               seconds_of(used.ru_utime) + seconds_of(used.ru_stime));
  }
  if (ended) {
    pid_ = -1;
  } else {
    kill();
  }
  out.grade.seconds = took;
  if (report) out.grade.sandbox = report->text();
  return out;
}

// Decides who is to blame for a missing result. A limit enforced by kernel or grader and a crashed
// compiler are the submission's fault; anything from outside is not.
Grade SandboxedRun::without_result(const Walls& walls, double took, bool ended, int status,
                                   double cpu_s) const {
  const std::string memory = std::to_string(walls.rules.memory_bytes >> 20) + " MiB of memory";
  if (flooded_) return ended_with(Verdict::kLimit, "its result is larger than any valid result");
  if (!ended && took > walls.wall_limit_s) {
    // If it waits for the compiler, what counts is what that does.
    const pid_t compiler = only_child_of(compiler_);
    const char state = state_of(compiler > 0 && state_of(pid_) == 'S' ? compiler : pid_);
    if (state == 'S') {
      return ended_with(
          Verdict::kLimit,
          "it waited for something, such as a file that never arrives, and was terminated after " +
              seconds_words(walls.wall_limit_s));
    }
    return ended_with(Verdict::kNoVerdict,
                      "this machine did not give it " + seconds_words(walls.cpu_limit_s) +
                          " of processor time within " + seconds_words(walls.wall_limit_s) +
                          ": grade again, with fewer --jobs");
  }
  if (!ended) {
    return ended_with(Verdict::kNoVerdict,
                      "its process closed its end of the pipe but did not exit");
  }
  const int signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  if (signal == SIGXCPU || (signal == SIGKILL && cpu_s >= walls.cpu_limit_s)) {
    return ended_with(Verdict::kLimit, over_time(walls));
  }
  const std::string how =
      "its process " + wait_status_text(status).english() + " before there was a result";
  constexpr int kOwnDoing[] = {SIGSEGV, SIGABRT, SIGILL, SIGFPE, SIGTRAP, SIGSYS, SIGXFSZ};
  if (std::find(std::begin(kOwnDoing), std::end(kOwnDoing), signal) != std::end(kOwnDoing)) {
    return ended_with(Verdict::kLimit,
                      how + ": it needs more than " + memory + ", or crashes the compiler");
  }
  return ended_with(Verdict::kNoVerdict,
                    how + (signal == SIGKILL ? ", which this machine does when its own memory runs "
                                               "out: grade again, with fewer --jobs"
                                             : ""));
}

}  // namespace warpshop::grade
