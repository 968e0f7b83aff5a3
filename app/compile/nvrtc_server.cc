#include "nvrtc_server.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "compile/job_end.h"
#include "core/descriptor.h"
#include "core/process_limits.h"
#include "core/read_some.h"
#include "core/sandbox.h"
#include "core/write_all.h"
#include "large_pages.h"
#include "nvrtc_job.h"
#include "nvrtc_library.h"
#include "settled_heap.h"

namespace warpshop::compile {
namespace {

using NvrtcLibrary = Result<std::shared_ptr<const Compiler::Library>>;

constexpr int kIn = 0;
constexpr int kOut = 3;       // 1 is left to NVRTC, which may print
constexpr int kReadable = 4;  // of a locked job: the folder that it may read
constexpr int kWorking = 5;   // where relative names start

// Untrusted jobs are locked up.
struct Lock {
  SandboxRules rules;
  SandboxReport promised;
};

// None: the parent has ended.
std::optional<NvrtcJob> next_job(std::string& pending) {
  size_t end = 0;
  while ((end = pending.find('\n')) == std::string::npos) {
    if (!read_some(kIn, pending)) return std::nullopt;
  }
  const auto lengths = lengths_of(std::string_view(pending).substr(0, end));
  if (!lengths) return std::nullopt;
  pending.erase(0, end + 1);
  size_t all = 0;
  for (const size_t length : *lengths) all += length;
  while (pending.size() < all) {
    if (!read_some(kIn, pending)) return std::nullopt;
  }
  std::optional<NvrtcJob> job = job_of(fields_of(*lengths, pending));
  pending.erase(0, all);
  return job;
}

// After this much processor time the system ends this process. 0: never.
void set_timer(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec = static_cast<suseconds_t>((seconds - std::floor(seconds)) * 1e6);
  ::setitimer(ITIMER_PROF, &timer, nullptr);
}

// What a window's own compilation may use: memory in bytes, processor time in seconds.
void limit_job(uint64_t most_bytes, double most_seconds) {
  limit_process(RLIMIT_AS, address_space_bytes() + kBeforeNvrtc + most_bytes, RLIM_INFINITY);
  // NVRTC itself ends in time if it asks (run_nvrtc), and this process can go on.
  constexpr double kLonger = 0.25;
  constexpr double kLongest = 1e8;
  if (most_seconds > 0 && most_seconds < kLongest) set_timer(most_seconds + kLonger);
}

void warm_up(const Compiler::Library& library) {
  NvrtcJob job;
  job.text = "__global__ void warm_up() {}";
  job.name = "warm_up.cu";
  job.options = {"--gpu-architecture=sm_90", "--std=c++17", "-lineinfo"};
  (void)run_nvrtc(library, job);
}

// A program that is started again after this has its memory at the same addresses each time: see
// settled_heap.h. Containers may forbid it: then such kernels differ from run to run.
void start_again_at_fixed_addresses(char** argv) {
  constexpr unsigned long kAsk = 0xffffffff;
  const int now = ::personality(kAsk);
  if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0) return;
  if (::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0) return;
  ::execv("/proc/self/exe", argv);
}

// NVRTC sees all folders under names of the same length, wherever they are.
void open_folders(const NvrtcJob& job) {
  for (size_t n = 0; n < job.folders.size(); ++n) {
    const Descriptor folder(::openat(kWorking, job.folders[n].c_str(), O_PATH | O_DIRECTORY));
    if (folder.is_open()) ::dup3(folder.get(), kFirstFolder + static_cast<int>(n), O_CLOEXEC);
  }
}

// In a copy of this process.
void serve_job(const NvrtcLibrary& library, uint64_t most_bytes, Lock* lock) {
  if (lock != nullptr) {
    lock->rules.folder = ::fcntl(kReadable, F_GETFD) < 0 ? -1 : kReadable;
    const SandboxReport report = enter_sandbox(lock->rules);
    ::close(kReadable);
    if (!report.holds(lock->promised)) {
      (void)write_all(kOut, line_of_open(report.problem));
      return;
    }
  } else {
    copy_heap_pages();
  }
  std::string pending;
  if (!read_some(kIn, pending) || !write_all(kOut, std::to_string(::getpid()) + "\n")) return;
  const std::optional<NvrtcJob> job = next_job(pending);
  if (!job) return;
  NvrtcAnswer answer;
  if (library.ok()) {
    open_folders(*job);
    if (lock == nullptr) limit_job(most_bytes, job->most_seconds);
    settle_heap(kBeforeNvrtc, kLargePages);
    answer = run_nvrtc(**library, *job);
    if (lock == nullptr) set_timer(0);
  } else {
    answer.result = -1;
    answer.error = library.errors().front().message.english();
  }
  (void)write_all(kOut, frame_of(fields_of(answer)));
}

// Waits for a job. False: the other side has ended.
bool job_comes() {
  pollfd asker = {kIn, POLLIN | POLLRDHUP, 0};
  while (::poll(&asker, 1, -1) < 0 && errno == EINTR) {
  }
  return (asker.revents & (POLLRDHUP | POLLHUP | POLLERR)) == 0;
}

bool asker_has_ended() {
  pollfd asker = {kIn, POLLRDHUP, 0};
  return ::poll(&asker, 1, 0) > 0;
}

// Waits until the copy ends. False: it was killed, because the asker has ended.
bool wait_while_asked(pid_t copy, int& status, rusage& used) {
  const Descriptor end(static_cast<int>(::syscall(SYS_pidfd_open, copy, 0)));
  constexpr int kPollMs = 5;  // Linux before 5.3
  for (;;) {
    pollfd files[2] = {{kIn, POLLRDHUP, 0}, {end.get(), POLLIN, 0}};
    (void)::poll(files, 2, end.is_open() ? -1 : kPollMs);
    if (::wait4(copy, &status, WNOHANG, &used) == copy) return true;
    if (files[0].revents == 0) continue;
    ::kill(copy, SIGKILL);
    while (::wait4(copy, &status, 0, &used) < 0 && errno == EINTR) {
    }
    return false;
  }
}

// Each job runs in a copy of this process as it was before the first one: what NVRTC makes of a
// text does not depend on what it compiled before, nor on who waited for it.
void serve(const NvrtcLibrary& library, uint64_t most_bytes, Lock* lock) {
  const pid_t self = ::getpid();
  // An untrusted job gets what its channel's earlier ones have left.
  while (lock != nullptr ? job_comes() : !asker_has_ended()) {
    const pid_t copy = ::fork();
    if (copy < 0) return;
    if (copy == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() != self) ::_exit(1);
      serve_job(library, most_bytes, lock);
      ::_exit(0);
    }
    int status = 0;
    rusage used{};
    if (!wait_while_asked(copy, status, used)) return;
    if (status != 0) {
      (void)write_all(kOut, line_of_end(status, static_cast<uint64_t>(used.ru_maxrss) * 1024));
      return;
    }
    if (lock == nullptr) continue;
    const auto seconds = static_cast<uint64_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
    lock->rules.cpu_seconds -= std::min(seconds, lock->rules.cpu_seconds - 1);
  }
}

// The next message's descriptors, in the order kIn, kReadable, kWorking; -1: not in it. False: the
// other side has ended.
bool next_channel(Descriptor (&out)[3]) {
  char which = 0;
  iovec data = {&which, 1};
  alignas(cmsghdr) char room[CMSG_SPACE(3 * sizeof(int))];
  msghdr message{};
  message.msg_iov = &data;
  message.msg_iovlen = 1;
  message.msg_control = room;
  message.msg_controllen = sizeof room;
  ssize_t got = 0;
  do {
    got = ::recvmsg(kIn, &message, MSG_CMSG_CLOEXEC);
  } while (got < 0 && errno == EINTR);
  const cmsghdr* const sent = CMSG_FIRSTHDR(&message);
  if (got != 1 || sent == nullptr || sent->cmsg_type != SCM_RIGHTS) return false;
  const size_t count = (sent->cmsg_len - CMSG_LEN(0)) / sizeof(int);
  const bool wanted[3] = {true, (which & kHasReadable) != 0, (which & kHasWorking) != 0};
  for (size_t n = 0, next = 0; n < 3; ++n) {
    if (!wanted[n]) continue;
    if (next == count) return false;
    int fd = -1;
    std::memcpy(&fd, CMSG_DATA(sent) + next++ * sizeof fd, sizeof fd);
    out[n] = Descriptor(fd);
  }
  return true;
}

// In a process of its own.
void serve_channel(const NvrtcLibrary& library, Descriptor (&channel)[3], Lock& lock) {
  ::signal(SIGCHLD, SIG_DFL);
  constexpr int kAbove = kWorking + 1;
  // What NVRTC prints would fill a pipe that all share.
  const int nothing = ::open("/dev/null", O_RDWR);
  if (::dup2(nothing, 1) < 0 || ::dup2(nothing, 2) < 0) return;
  int high[3];
  for (size_t n = 0; n < 3; ++n) high[n] = ::fcntl(channel[n].get(), F_DUPFD, kAbove);
  if (high[0] < 0 || ::dup2(high[0], kIn) < 0 || ::dup2(high[0], kOut) < 0) return;
  ::close(kReadable);
  ::close(kWorking);
  if (high[1] >= 0) ::dup2(high[1], kReadable);
  if (high[2] >= 0) ::dup2(high[2], kWorking);
  close_descriptors_from(kAbove);
  serve(library, lock.rules.memory_bytes, &lock);
}

// Proves the lock, then serves each channel in a process of its own: whoever holds its other end
// reaches no other one.
void serve_locked(const NvrtcLibrary& library, Lock lock, const char* forbidden) {
  ::signal(SIGINT, SIG_IGN);
  const Result<SandboxReport> proof = prove_sandbox(lock.rules, forbidden);
  if (!proof.ok()) {
    const Diagnostic& error = proof.errors().front();
    (void)write_all(kOut, frame_of({"", error.message.english(), error.help.english()}));
    return;
  }
  lock.promised = *proof;
  if (!write_all(kOut, frame_of({proof->line()}))) return;
  ::signal(SIGCHLD, SIG_IGN);  // nobody waits for them
  for (;;) {
    Descriptor channel[3];
    if (!next_channel(channel)) return;
    const pid_t self = ::getpid();
    const pid_t holder = ::fork();
    if (holder == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (::getppid() == self) serve_channel(library, channel, lock);
      ::_exit(0);
    }
    if (!write_all(kOut, std::to_string(holder) + "\n")) return;
  }
}

void be_child(int argc, char** argv) {
  ::dup2(1, kOut);
  ::dup2(2, 1);
  close_descriptors_from(kOut + 1);
  if (const Descriptor here(::open(".", O_PATH | O_DIRECTORY)); here.is_open())
    ::dup2(here.get(), kWorking);
  ::signal(SIGPROF, SIG_DFL);
  limit_process(RLIMIT_CORE, 0, 0);
  keep_all_in_heap();
  const NvrtcLibrary library = load_nvrtc();
  const uint64_t most_bytes = std::strtoull(argv[2], nullptr, 10);
  constexpr int kFirstReadable = 5;
  const bool for_many = argc >= kFirstReadable;
  if (library.ok()) {
    warm_up(**library);
    std::error_code error;
    const std::string file = std::filesystem::canonical((*library)->path, error);
    if (for_many && !error) put_code_in_large_pages(file);
  }
  // NVRTC makes names absolute, and a kernel's code may depend on their lengths.
  if (::chdir("/") != 0) return;
  settle_heap(kBeforeJobs);
  if (!for_many) return serve(library, most_bytes, nullptr);
  Lock lock;
  lock.rules.memory_bytes = most_bytes;
  lock.rules.cpu_seconds = std::strtoull(argv[3], nullptr, 10);
  for (int n = kFirstReadable; n < argc; ++n) lock.rules.readable.emplace_back(argv[n]);
  serve_locked(library, std::move(lock), argv[4]);
}

}  // namespace

void serve_as_child(int argc, char** argv) {
  start_again_at_fixed_addresses(argv);
  be_child(argc, argv);
  ::_exit(0);  // NVRTC has nothing to save
}

}  // namespace warpshop::compile
