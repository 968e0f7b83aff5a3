// Tests the sandbox's restrictions from inside.
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstring>

#include "core/child_process.h"
#include "core/descriptor.h"
#include "core/sandbox.h"
#include "core/write_all.h"

namespace warpshop {
namespace {

bool can_open(const char* path, int flags) {
  const int file = ::open(path, flags | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);
  return file >= 0;
}

bool can_fork() {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  return child > 0;
}

bool can_map(uint64_t bytes) {
  return ::mmap(nullptr, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0) !=
         MAP_FAILED;
}

// The operations that got through, one per line.
std::string holes(const SandboxReport& report, const SandboxRules& rules, const char* forbidden,
                  pid_t parent) {
  std::string out;
  const auto expect_refused = [&out](bool possible, const char* what) {
    if (possible) out += std::string(what) + "\n";
  };
  if (report.landlock_abi > 0) {
    expect_refused(can_open(forbidden, O_RDONLY), "a file of the grader can be read");
    expect_refused(can_open(forbidden, O_WRONLY | O_APPEND), "a file of the grader can be written");
    expect_refused(can_open("/", O_RDONLY | O_DIRECTORY), "the machine's files can be listed");
    expect_refused(can_open("/tmp", O_WRONLY | O_TMPFILE), "a file can be created");
    for (const std::filesystem::path& path : rules.readable) {
      if (!can_open(path.c_str(), O_RDONLY) && errno != ENOENT)
        out += path.string() + " cannot be read\n";
    }
  }
  if (report.seccomp) {
    expect_refused(::socket(AF_INET, SOCK_STREAM, 0) >= 0, "a socket can be opened");
    expect_refused(can_fork(), "a process can be started");
    expect_refused(::kill(parent, 0) == 0, "the grader can be signalled");
    expect_refused(::syscall(SYS_tgkill, parent, parent, 0) == 0,
                   "the grader can be signalled by tgkill");
    expect_refused(::fcntl(0, F_SETOWN, parent) == 0, "the grader can be signalled by fcntl");
  }
  if (report.limits) {
    expect_refused(can_map(rules.memory_bytes + (uint64_t{256} << 20)),
                   "more memory than allowed can be allocated");
  }
  return out;
}

std::string read_whole(int file) {
  std::string text;
  char buffer[4096];
  for (;;) {
    const ssize_t got = ::read(file, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return text;
    text.append(buffer, static_cast<size_t>(got));
  }
}

}  // namespace

Result<SandboxReport> prove_sandbox(const SandboxRules& rules,
                                    const std::filesystem::path& forbidden) {
  const SandboxReport promised = sandbox_support();
  int ends[2];
  if (::pipe2(ends, O_CLOEXEC) != 0)
    return make_error("tool",
                      sentence("cannot create a pipe: {error}", {{"error", std::strerror(errno)}}));
  const Descriptor from(ends[0]);
  Descriptor to(ends[1]);
  const pid_t parent = ::getpid();
  const pid_t child = ::fork();
  if (child < 0)
    return make_error(
        "tool", sentence("cannot start a process: {error}", {{"error", std::strerror(errno)}}));
  if (child == 0) {
    const SandboxReport report = enter_sandbox(rules);
    (void)write_all(to.get(), report.line());
    (void)write_all(to.get(), holes(report, rules, forbidden.c_str(), parent) + "end\n");
    ::_exit(0);
  }
  to = Descriptor();
  const std::string said = read_whole(from.get());
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  const size_t line = said.find('\n');
  const std::optional<SandboxReport> report =
      line == std::string::npos ? std::nullopt
                                : SandboxReport::of_line(std::string_view(said).substr(0, line));
  if (!report || !said.ends_with("end\n")) {
    return make_error(
        "tool", sentence("the sandbox for submissions could not be entered: its process {ended}",
                         {{"ended", wait_status_text(status)}}));
  }
  if (!report->holds(promised)) {
    return make_error("tool",
                      sentence("the sandbox for submissions cannot be set up completely: {problem}",
                               {{"problem", report->problem}}),
                      sentence("no submission was read; if a limit of this shell is the cause, ask "
                               "for less with --limit-memory or --limit-time; otherwise grade from "
                               "a shell outside any other sandbox"));
  }
  std::string through = said.substr(line + 1, said.size() - line - 1 - std::strlen("end\n"));
  if (through.empty()) return *report;
  through.pop_back();
  for (size_t at = through.find('\n'); at != std::string::npos; at = through.find('\n', at))
    through.replace(at, 1, "; ");
  return make_error(
      "tool", sentence("the sandbox for submissions is not tight: {holes}", {{"holes", through}}),
      sentence("no submission was read; this is a bug in Warpshop or in this kernel"));
}

}  // namespace warpshop
