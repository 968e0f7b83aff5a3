#include "nvrtc_child.h"

#include <sys/types.h>

#include <algorithm>
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
constexpr auto kBetweenLooksAtStop = 1ms;
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

size_t most_children() { return std::max(2U, std::thread::hardware_concurrency()); }

}  // namespace

NvrtcChild::NvrtcChild(uint64_t most_bytes) : most_bytes_(most_bytes) {
  start(children_.emplace_back());
}

// /proc/self/exe is this program even if its file has been moved, replaced or deleted.
void NvrtcChild::start(Child& child) const {
  child.process.emplace(ChildProcess::start(
      {"/proc/self/exe", std::string(kServeArgument), std::to_string(most_bytes_)}));
}

NvrtcChild::Child* NvrtcChild::take(const StopFlag* stop) {
  std::unique_lock lock(mutex_);
  while (stop == nullptr || !stop->requested()) {
    auto idle = std::find_if(children_.begin(), children_.end(),
                             [](const Child& child) { return !child.busy; });
    if (idle == children_.end() && children_.size() < most_children())
      idle = children_.emplace(children_.end());
    if (idle != children_.end()) {
      idle->busy = true;
      return &*idle;
    }
    free_.wait_for(lock, kBetweenLooksAtStop);
  }
  return nullptr;
}

void NvrtcChild::give_back(Child& child) {
  {
    const std::lock_guard lock(mutex_);
    child.busy = false;
  }
  free_.notify_one();
}

NvrtcOutcome NvrtcChild::run(const NvrtcJob& job, const StopFlag* stop) {
  Child* const child = take(stop);
  if (child == nullptr) return NoAnswer{Why::kStopped, {}};
  NvrtcOutcome outcome = run_in(*child, job, stop);
  give_back(*child);
  return outcome;
}

NvrtcOutcome NvrtcChild::run_in(Child& child, const NvrtcJob& job, const StopFlag* stop) {
  std::optional<Result<ChildProcess>>& process = child.process;
  if (!process || !process->ok() || (*process)->wait_status(Clock::now())) start(child);
  if (!process->ok()) return NoAnswer{Why::kNotStarted, process->errors().front().message};
  NvrtcOutcome outcome = ask(process->value(), job, stop);
  const auto* answer = std::get_if<NvrtcAnswer>(&outcome);
  // The next one gets ready in the meantime.
  if (answer == nullptr || (*process)->wait_status(Clock::now())) start(child);
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
