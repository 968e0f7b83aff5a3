#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <thread>

#include "core/child_process.h"

namespace warpshop {
namespace {

constexpr size_t kErrorTail = 4096;
constexpr std::chrono::milliseconds kStopPoll{20};  // how quickly a stop request takes effect

void close_fd(int& fd) {
  if (fd >= 0) ::close(fd);
  fd = -1;
}

// Timeout in milliseconds for poll(): rounded up, but short enough to notice a stop.
int poll_wait(ChildProcess::Clock::time_point deadline, bool with_stop) {
  const auto left =
      std::chrono::ceil<std::chrono::milliseconds>(deadline - ChildProcess::Clock::now());
  auto wait = std::clamp(left, std::chrono::milliseconds{0}, std::chrono::milliseconds{60'000});
  if (with_stop) wait = std::min(wait, kStopPoll);
  return static_cast<int>(wait.count());
}

struct Pipes {
  int input[2] = {-1, -1};   // socket pair: ours, the child's
  int output[2] = {-1, -1};  // ours, the child's
  int errors[2] = {-1, -1};
  int report[2] = {-1, -1};  // errno of a failed exec
  ~Pipes() {
    for (int* pair : {input, output, errors, report}) {
      close_fd(pair[0]);
      close_fd(pair[1]);
    }
  }
  bool open() {
    return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, input) == 0 &&
           ::pipe2(output, O_CLOEXEC) == 0 && ::pipe2(errors, O_CLOEXEC) == 0 &&
           ::pipe2(report, O_CLOEXEC) == 0;
  }
};

// Uses only async-signal-safe functions, as required between fork and exec.
[[noreturn]] void become(const char* const* argv, char* const* environment, const char* folder,
                         const Pipes& pipes) {
  ::setsid();
  ::signal(SIGPIPE, SIG_DFL);
  ::signal(SIGXFSZ, SIG_DFL);
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  int error = 0;
  if (folder[0] != '\0' && ::chdir(folder) != 0) error = errno;
  if (error == 0 && (::dup2(pipes.input[1], 0) < 0 || ::dup2(pipes.output[1], 1) < 0 ||
                     ::dup2(pipes.errors[1], 2) < 0)) {
    error = errno;
  }
  if (error == 0) {
    ::execvpe(argv[0], const_cast<char* const*>(argv), environment);  // NOLINT: POSIX's signature
    error = errno;
  }
  [[maybe_unused]] const ssize_t written = ::write(pipes.report[1], &error, sizeof error);
  ::_exit(127);
}

std::vector<std::string> environment_with(
    const std::vector<std::pair<std::string, std::string>>& more) {
  std::vector<std::string> out;
  for (char** at = environ; at != nullptr && *at != nullptr; ++at) {
    const std::string_view entry(*at);
    const bool replaced = std::any_of(more.begin(), more.end(), [&](const auto& pair) {
      return entry.starts_with(pair.first + "=");
    });
    if (!replaced) out.emplace_back(entry);
  }
  for (const auto& [name, value] : more) out.push_back(name + "=" + value);
  return out;
}

}  // namespace

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& argv,
                                         const ChildOptions& options) {
  const auto failed = [&](int error) {
    const std::string program = argv.empty() ? std::string("nothing") : argv.front();
    return make_error("process",
                      sentence("'{program}' cannot be started: {error}",
                               {{"program", program}, {"error", std::strerror(error)}}),
                      error == ENOENT ? sentence("install it, or give its full path") : Sentence());
  };
  if (argv.empty() || argv.front().empty()) return failed(ENOENT);
  Pipes pipes;
  if (!pipes.open()) return failed(errno);
  std::vector<const char*> arguments;
  for (const std::string& word : argv) arguments.push_back(word.c_str());
  arguments.push_back(nullptr);
  const std::vector<std::string> variables = environment_with(options.environment);
  std::vector<char*> environment;
  for (const std::string& entry : variables) {
    environment.push_back(const_cast<char*>(entry.c_str()));  // NOLINT: POSIX's signature
  }
  environment.push_back(nullptr);
  const std::string folder = options.folder.string();

  const pid_t pid = ::fork();
  if (pid < 0) return failed(errno);
  if (pid == 0) become(arguments.data(), environment.data(), folder.c_str(), pipes);
  close_fd(pipes.report[1]);
  int error = 0;
  ssize_t got = 0;
  do {
    got = ::read(pipes.report[0], &error, sizeof error);
  } while (got < 0 && errno == EINTR);
  if (got == static_cast<ssize_t>(sizeof error)) {
    ::waitpid(pid, nullptr, 0);
    return failed(error);
  }
  ChildProcess child;
  child.pid_ = pid;
  child.input_ = std::exchange(pipes.input[0], -1);
  child.output_ = std::exchange(pipes.output[0], -1);
  child.errors_ = std::exchange(pipes.errors[0], -1);
  for (int fd : {child.input_, child.output_, child.errors_}) {
    ::fcntl(fd, F_SETFL, ::fcntl(fd, F_GETFL) | O_NONBLOCK);
  }
  return child;
}

bool ChildProcess::write(std::string_view text, Clock::time_point deadline) {
  while (!text.empty()) {
    if (input_ < 0) return false;
    const ssize_t sent = ::send(input_, text.data(), text.size(), MSG_NOSIGNAL);
    if (sent > 0) {
      text.remove_prefix(static_cast<size_t>(sent));
      continue;
    }
    if (sent < 0 && errno != EAGAIN && errno != EINTR) return false;
    drain_errors();  // a child blocked on writing errors would never read our input
    pollfd wait = {input_, POLLOUT, 0};
    if (Clock::now() >= deadline) return false;
    ::poll(&wait, 1, std::min(poll_wait(deadline, false), 100));
  }
  return true;
}

ChildProcess::Read ChildProcess::read_line(std::string& line, Clock::time_point deadline,
                                           const StopFlag* stop, size_t limit_bytes) {
  for (;;) {
    const size_t end = pending_.find('\n', scanned_);
    if (end != std::string::npos) {
      line = pending_.substr(0, end);
      if (!line.empty() && line.back() == '\r') line.pop_back();
      pending_.erase(0, end + 1);
      scanned_ = 0;
      return Read::kLine;
    }
    scanned_ = pending_.size();
    if (pending_.size() > limit_bytes) return Read::kTooLong;
    if (const std::optional<Read> end_of_output = read_more(deadline, stop)) return *end_of_output;
  }
}

ChildProcess::Read ChildProcess::read_bytes(std::string& bytes, size_t count,
                                            Clock::time_point deadline, const StopFlag* stop) {
  while (pending_.size() < count) {
    if (const std::optional<Read> end_of_output = read_more(deadline, stop)) return *end_of_output;
  }
  bytes = pending_.substr(0, count);
  pending_.erase(0, count);
  scanned_ = 0;
  return Read::kLine;
}

std::optional<ChildProcess::Read> ChildProcess::read_more(Clock::time_point deadline,
                                                          const StopFlag* stop) {
  for (;;) {
    if (stop != nullptr && stop->requested()) return Read::kStopped;
    if (output_ < 0) return Read::kClosed;
    pollfd fds[2] = {{output_, POLLIN, 0}, {errors_, POLLIN, 0}};
    const int ready = ::poll(fds, 2, poll_wait(deadline, stop != nullptr));
    if (ready < 0 && errno != EINTR) return Read::kClosed;
    drain_errors();
    if ((fds[0].revents & (POLLIN | POLLHUP | POLLERR)) != 0) {
      char buffer[65536];
      const ssize_t got = ::read(output_, buffer, sizeof buffer);
      if (got > 0) {
        pending_.append(buffer, static_cast<size_t>(got));
        return std::nullopt;
      }
      if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
        close_fd(output_);
        continue;
      }
    }
    if (Clock::now() >= deadline) return Read::kTimeout;
  }
}

bool ChildProcess::drain_errors() {
  char buffer[4096];
  while (errors_ >= 0) {
    const ssize_t got = ::read(errors_, buffer, sizeof buffer);
    if (got > 0) {
      error_text_.append(buffer, static_cast<size_t>(got));
      if (error_text_.size() > 2 * kErrorTail) {
        error_text_.erase(0, error_text_.size() - kErrorTail);
      }
    } else if (got == 0 || (errno != EAGAIN && errno != EINTR)) {
      close_fd(errors_);
    } else {
      return true;
    }
  }
  return false;
}

std::string ChildProcess::error_tail() {
  drain_errors();
  return error_text_.size() <= kErrorTail ? error_text_
                                          : error_text_.substr(error_text_.size() - kErrorTail);
}

void ChildProcess::close_input() { close_fd(input_); }

bool ChildProcess::reap(int options) {
  int status = 0;
  rusage used{};
  pid_t ended = 0;
  do {
    ended = ::wait4(pid_, &status, options, &used);
  } while (ended < 0 && errno == EINTR);
  if (ended == 0) return false;
  status_ = ended == pid_ ? status : 0;  // < 0: reaped by somebody else
  peak_bytes_ = static_cast<uint64_t>(used.ru_maxrss) * 1024;
  return true;
}

std::optional<int> ChildProcess::wait_status(Clock::time_point deadline) {
  while (!status_ && pid_ > 0 && !reap(WNOHANG)) {
    if (Clock::now() >= deadline) break;
    drain_errors();
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return status_;
}

Sentence ChildProcess::finish(Clock::time_point deadline) {
  close_input();
  if (!wait_status(deadline)) {
    kill();
    return sentence("was terminated");
  }
  return wait_status_text(*status_);
}

void ChildProcess::kill() {
  if (pid_ <= 0 || status_) return;
  // SIGTERM first: srun then releases the cluster's GPU, which it would keep if killed outright.
  ::kill(-pid_, SIGTERM);
  (void)wait_status(Clock::now() + std::chrono::seconds(1));
  ::kill(-pid_, SIGKILL);  // and everything it started and left running
  if (status_) return;
  ::kill(pid_, SIGKILL);
  (void)reap(0);
}

void ChildProcess::release() {
  kill();
  close_fd(input_);
  close_fd(output_);
  close_fd(errors_);
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept { *this = std::move(other); }

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
  if (this == &other) return *this;
  release();
  pid_ = std::exchange(other.pid_, -1);
  input_ = std::exchange(other.input_, -1);
  output_ = std::exchange(other.output_, -1);
  errors_ = std::exchange(other.errors_, -1);
  status_ = std::exchange(other.status_, std::nullopt);
  peak_bytes_ = std::exchange(other.peak_bytes_, 0);
  pending_ = std::move(other.pending_);
  scanned_ = std::exchange(other.scanned_, 0);
  error_text_ = std::move(other.error_text_);
  return *this;
}

ChildProcess::~ChildProcess() { release(); }

Sentence wait_status_text(int status) {
  if (WIFSIGNALED(status)) {
    return sentence("was killed by signal {number} ({name})",
                    {{"number", WTERMSIG(status)}, {"name", ::strsignal(WTERMSIG(status))}});
  }
  return sentence("ended with status {status}", {{"status", WEXITSTATUS(status)}});
}

std::filesystem::path own_program() {
  std::error_code error;
  std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error);
  return error ? std::filesystem::path("warpshop") : path;
}

}  // namespace warpshop
