#include "nvrtc_child.h"

#include <sys/types.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <ctime>
#include <thread>
#include <utility>

#include "compile/job_end.h"
#include "nvrtc_server.h"

namespace warpshop::compile {
namespace {

using namespace std::chrono_literals;
using Clock = ChildProcess::Clock;
using Read = ChildProcess::Read;
using Why = NoAnswer::Why;

// A new child's first compilation takes longer than most compilations need to end.
constexpr auto kPatienceAfterStop = 250ms;
constexpr auto kMostForCopying = 60s;
// Less than this part of a processor: it waits.
constexpr double kIdle = 0.001;

// Processor time that another process has used.
double cpu_seconds_of(pid_t pid) {
  clockid_t clock{};
  timespec time{};
  if (::clock_getcpuclockid(pid, &clock) != 0 || ::clock_gettime(clock, &time) != 0) return 0;
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

// Waits for the answer's first line. The process `at_work` ends itself when its processor time is
// used up, however long that takes on a busy machine. kTimeout: it does nothing.
Read wait_for_line(ChildProcess& child, pid_t at_work, std::string& line, double most_seconds,
                   const StopFlag* stop) {
  const bool limited = std::isfinite(most_seconds);
  const std::chrono::duration<double> slice(limited ? std::max(most_seconds, 1.0) : 3600.0);
  for (;;) {
    const double before = cpu_seconds_of(at_work);
    const Clock::time_point end = Clock::now() + std::chrono::duration_cast<Clock::duration>(slice);
    const Read read = child.read_line(line, end, stop);
    if (read == Read::kStopped) return child.read_line(line, Clock::now() + kPatienceAfterStop);
    const double worked = cpu_seconds_of(at_work) - before;
    if (read != Read::kTimeout || (limited && worked < kIdle * slice.count())) return read;
  }
}

// Why a child that sends nothing more has ended.
NoAnswer explain_end(ChildProcess& child, uint64_t most_bytes) {
  const std::optional<int> status = child.wait_status(Clock::now() + 5s);
  if (!status) return {Why::kCrashed, sentence("closed its output")};
  return none_of_end(*status, child.peak_bytes(), most_bytes);
}

// Locks, unless stopped before that.
std::unique_lock<std::mutex> lock_unless_stopped(std::mutex& mutex, const StopFlag* stop) {
  if (stop == nullptr) return std::unique_lock(mutex);
  std::unique_lock lock(mutex, std::try_to_lock);
  while (!lock.owns_lock() && !stop->requested()) {
    std::this_thread::sleep_for(1ms);
    (void)lock.try_lock();
  }
  return lock;
}

}  // namespace

NvrtcChild::NvrtcChild(uint64_t most_bytes) : most_bytes_(most_bytes) { start(); }

// /proc/self/exe is this program even if its file has been moved, replaced or deleted.
void NvrtcChild::start() {
  child_.emplace(ChildProcess::start(
      {"/proc/self/exe", std::string(kServeArgument), std::to_string(most_bytes_)}));
}

NvrtcOutcome NvrtcChild::run(const NvrtcJob& job, const StopFlag* stop) {
  const std::unique_lock lock = lock_unless_stopped(mutex_, stop);
  if (!lock.owns_lock()) return NoAnswer{Why::kStopped, {}};
  if (!child_->ok() || (*child_)->wait_status(Clock::now())) start();
  if (!child_->ok()) return NoAnswer{Why::kNotStarted, child_->errors().front().message};
  NvrtcOutcome outcome = ask(child_->value(), job, stop);
  const auto* answer = std::get_if<NvrtcAnswer>(&outcome);
  // The next one gets ready in the meantime.
  if (answer == nullptr || (*child_)->wait_status(Clock::now())) start();
  return outcome;
}

NvrtcOutcome NvrtcChild::ask(ChildProcess& child, const NvrtcJob& job, const StopFlag* stop) {
  if (!child.write(frame_of(fields_of(job)), Clock::now() + kMostForCopying))
    return explain_end(child, most_bytes_);
  std::string line, bytes;
  // First the number of the process that takes the job.
  Read read = child.read_line(line, Clock::now() + kMostForCopying, stop);
  if (read == Read::kLine && !none_of_line(line, most_bytes_))
    read = wait_for_line(child, std::atoi(line.c_str()), line, job.most_seconds, stop);
  if (read == Read::kTimeout || read == Read::kStopped) {
    const bool stopped = stop != nullptr && stop->requested();
    return NoAnswer{stopped ? Why::kStopped : Why::kWaits, {}};
  }
  if (read == Read::kLine) {
    if (const std::optional<NoAnswer> none = none_of_line(line, most_bytes_)) return *none;
  }
  const auto lengths = read == Read::kLine ? lengths_of(line) : std::nullopt;
  if (lengths) {
    size_t all = 0;
    for (const size_t length : *lengths) all += length;
    read = child.read_bytes(bytes, all, Clock::now() + kMostForCopying);
  }
  if (read != Read::kLine) return explain_end(child, most_bytes_);
  std::optional<NvrtcAnswer> answer =
      lengths ? answer_of(fields_of(*lengths, bytes)) : std::nullopt;
  if (!answer) return NoAnswer{Why::kCrashed, sentence("sent a damaged answer")};
  return std::move(*answer);
}

}  // namespace warpshop::compile
