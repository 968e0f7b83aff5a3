#include "nvrtc_server.h"

#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include "compile/child.h"
#include "core/descriptor.h"
#include "core/process_limits.h"
#include "core/write_all.h"
#include "nvrtc_job.h"
#include "nvrtc_library.h"

namespace warpshop::compile {
namespace {

constexpr int kIn = 0;
constexpr int kOut = 3;  // 1 is left to NVRTC, which may print

std::atomic<bool> g_can_be_child{false};

// Ends this process when its parent has ended, even during a compilation.
void end_with_parent() {
  std::thread([] {
    pollfd parent = {kIn, POLLRDHUP, 0};
    while (::poll(&parent, 1, -1) < 0 && errno == EINTR) {
    }
    ::_exit(0);
  }).detach();
}

bool read_more(std::string& pending) {
  char buffer[65536];
  ssize_t got = 0;
  do {
    got = ::read(kIn, buffer, sizeof buffer);
  } while (got < 0 && errno == EINTR);
  if (got > 0) pending.append(buffer, static_cast<size_t>(got));
  return got > 0;
}

// None: the parent has ended.
std::optional<NvrtcJob> next_job(std::string& pending) {
  size_t end = 0;
  while ((end = pending.find('\n')) == std::string::npos) {
    if (!read_more(pending)) return std::nullopt;
  }
  const auto lengths = lengths_of(std::string_view(pending).substr(0, end));
  if (!lengths) return std::nullopt;
  pending.erase(0, end + 1);
  size_t all = 0;
  for (const size_t length : *lengths) all += length;
  while (pending.size() < all) {
    if (!read_more(pending)) return std::nullopt;
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

NvrtcAnswer run_limited(const Compiler::Library& library, const NvrtcJob& job,
                        uint64_t most_bytes) {
  limit_process(RLIMIT_AS, address_space_bytes() + most_bytes, RLIM_INFINITY);
  // NVRTC itself ends in time if it asks (run_nvrtc), and this process can go on.
  constexpr double kLonger = 0.25;
  constexpr double kLongest = 1e8;
  if (job.most_seconds > 0 && job.most_seconds < kLongest) set_timer(job.most_seconds + kLonger);
  NvrtcAnswer answer = run_nvrtc(library, job);
  set_timer(0);
  return answer;
}

void warm_up(const Compiler::Library& library, uint64_t most_bytes) {
  NvrtcJob job;
  job.text = "__global__ void warm_up() {}";
  job.name = "warm_up.cu";
  job.options = {"--gpu-architecture=sm_90", "--std=c++17", "-lineinfo"};
  (void)run_limited(library, job, most_bytes);
}

// Where NVRTC's passes order things by their addresses, a kernel's registers and spills depend on
// where these lie: seen with NVRTC 13.0 and an array in local memory. A program that is started
// again after this has its memory at the same addresses each time. Containers may forbid it: then
// such kernels differ from run to run.
void start_again_at_fixed_addresses(char** argv) {
  constexpr unsigned long kAsk = 0xffffffff;
  const int now = ::personality(kAsk);
  if (now < 0 || (now & ADDR_NO_RANDOMIZE) != 0) return;
  if (::personality(static_cast<unsigned long>(now) | ADDR_NO_RANDOMIZE) < 0) return;
  ::execv("/proc/self/exe", argv);
}

// After a fork each page is copied when it is first written: sooner for the heap, while nobody
// waits.
void copy_heap_pages() {
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t from = 0, to = 0;
    if (!line.ends_with("[heap]") ||
        std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &from, &to) != 2)
      continue;
    ::madvise(reinterpret_cast<void*>(from), to - from, MADV_POPULATE_WRITE);
  }
}

void run_next_job(const Result<std::shared_ptr<const Compiler::Library>>& library,
                  uint64_t most_bytes) {
  end_with_parent();
  copy_heap_pages();
  std::string pending;
  if (!read_more(pending) || !write_all(kOut, std::to_string(::getpid()) + "\n")) return;
  const std::optional<NvrtcJob> job = next_job(pending);
  if (!job) return;
  NvrtcAnswer answer;
  if (library.ok()) {
    answer = run_limited(**library, *job, most_bytes);
  } else {
    answer.result = -1;
    answer.error = library.errors().front().message.english();
  }
  (void)write_all(kOut, frame_of(fields_of(answer)));
}

bool parent_has_ended() {
  pollfd parent = {kIn, POLLRDHUP, 0};
  return ::poll(&parent, 1, 0) > 0;
}

// Ends this process as the other one has ended, if that was killed.
void end_likewise(int status) {
  if (!WIFSIGNALED(status)) return;
  ::signal(WTERMSIG(status), SIG_DFL);
  ::raise(WTERMSIG(status));
}

// Each job runs in a copy of this process as it was before the first one: what NVRTC makes of a
// text does not depend on what it compiled before, nor on who waited for it.
void serve(uint64_t most_bytes) {
  ::dup2(1, kOut);
  ::dup2(2, 1);
  close_descriptors_from(kOut + 1);
  ::signal(SIGPROF, SIG_DFL);
  limit_process(RLIMIT_CORE, 0, 0);
  const auto library = load_nvrtc();
  if (library.ok()) warm_up(**library, most_bytes);
  while (!parent_has_ended()) {
    const pid_t copy = ::fork();
    if (copy == 0) {
      ::prctl(PR_SET_PDEATHSIG, SIGKILL);
      run_next_job(library, most_bytes);
      ::_exit(0);
    }
    int status = 0;
    if (copy < 0) return;
    while (::waitpid(copy, &status, 0) < 0 && errno == EINTR) {
    }
    end_likewise(status);
  }
}

}  // namespace

void compile_if_child(int argc, char** argv) {
  if (argc == 3 && std::string_view(argv[1]) == kServeArgument) {
    start_again_at_fixed_addresses(argv);
    serve(std::strtoull(argv[2], nullptr, 10));
    ::_exit(0);  // NVRTC has nothing to save
  }
  g_can_be_child = true;
}

bool can_be_child() { return g_can_be_child; }

}  // namespace warpshop::compile
