#include "measure.h"

#include <algorithm>
#include <cmath>

#include "compare_outputs.h"
#include "helper_kernels.h"

namespace warpshop::device {
namespace {

constexpr int kWarmUps = 3;
constexpr int kEmptyLaunches = 15;
// Queueing two launches and an event takes the host up to ten microseconds.
constexpr double kShortUs = 50;

// A normal distribution's standard deviation is 1.4826 times its median absolute deviation.
constexpr double kScaledDeviation = 1.4826;
constexpr double kOutlierDeviations = 5;

double quantile(const std::vector<double>& sorted, double part) {
  if (sorted.empty()) return 0;
  const double at = part * static_cast<double>(sorted.size() - 1);
  const auto below = static_cast<size_t>(at);
  const size_t above = std::min(below + 1, sorted.size() - 1);
  return sorted[below] + (at - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return quantile(values, 0.5);
}

// Launches the kernel twice and times the second launch. The GPU is still busy with earlier work
// while that launch is queued, so the time includes no host delay.
Result<double> timed_warm(Gpu& gpu, const Kernel& kernel, std::vector<void*>& arguments,
                          double cold_us) {
  Status status = cold_us < kShortUs ? gpu.keep_busy() : success();
  if (status.ok()) status = gpu.start(kernel, arguments);
  if (!status.ok()) return status.errors();
  return gpu.timed(kernel, arguments);
}

void note_clocks(Timing& timing, const ClockReading& reading) {
  timing.clock_mhz = reading.clock_mhz;
  timing.memory_clock_mhz = reading.memory_clock_mhz;
  timing.temperature_c = std::max(timing.temperature_c, reading.temperature_c);
  for (const std::string& reason : reading.throttled) {
    if (std::find(timing.throttled.begin(), timing.throttled.end(), reason) ==
        timing.throttled.end()) {
      timing.throttled.push_back(reason);
    }
  }
}

}  // namespace

KernelTiming summary_of(std::vector<double> cold_us, std::vector<double> warm_us) {
  KernelTiming out;
  out.samples_us = cold_us;
  out.launches = static_cast<int>(cold_us.size());
  std::sort(cold_us.begin(), cold_us.end());
  out.median_us = quantile(cold_us, 0.5);
  out.min_us = cold_us.empty() ? 0 : cold_us.front();
  out.spread_us = quantile(cold_us, 0.75) - quantile(cold_us, 0.25);
  out.warm_median_us = median(std::move(warm_us));
  std::vector<double> deviations;
  for (double sample : cold_us) deviations.push_back(std::abs(sample - out.median_us));
  const double limit = kOutlierDeviations * kScaledDeviation * median(deviations);
  for (double deviation : deviations) out.outliers += deviation > limit ? 1 : 0;
  return out;
}

Result<Timing> measure(Gpu& gpu, const Job& job, JobBuffers& buffers, const Kernel& student,
                       const Kernel* reference, const std::vector<double>& magnitudes) {
  Timing out;
  out.inputs_changed = buffers.can_change_inputs();
  const Result<double> ceiling = gpu.copy_ceiling_gb_s();
  if (!ceiling.ok()) return ceiling.errors();
  out.copy_ceiling_gb_s = *ceiling;

  std::vector<double> empty;
  for (int i = 0; i < kEmptyLaunches; ++i) {
    const Status swept = gpu.sweep_l2();
    if (!swept.ok()) return swept.errors();
    const Result<double> us = gpu.timed_empty();
    if (!us.ok()) return us.errors();
    empty.push_back(*us);
  }
  out.empty_launch_us = median(empty);

  Result<std::vector<DeviceBytes>> got = buffers.copy_outputs();
  if (!got.ok()) return got.errors();
  const auto cold = [&](const Kernel& kernel, uint32_t launch) -> Result<double> {
    Status status = buffers.refill(kPoison[launch % 2], launch);
    if (status.ok()) status = gpu.sweep_l2();
    if (!status.ok()) return status.errors();
    return gpu.timed(kernel, buffers.arguments());
  };
  std::vector<double> student_us;
  std::vector<double> reference_us;
  for (int i = 0; i < kWarmUps + job.launches; ++i) {
    const auto launch = static_cast<uint32_t>(i);
    const Result<double> us = cold(student, launch);
    if (!us.ok()) return us.errors();
    if (i >= kWarmUps) student_us.push_back(*us);
    if (reference == nullptr) continue;
    const Status copied = buffers.copy_outputs_into(*got);
    if (!copied.ok()) return copied.errors();
    const Result<double> reference_time = cold(*reference, launch);
    if (!reference_time.ok()) return reference_time.errors();
    if (i >= kWarmUps) reference_us.push_back(*reference_time);
    const Result<uint64_t> wrong =
        count_wrong(gpu, job, buffers, *got, magnitudes, kPoison[launch % 2]);
    if (!wrong.ok()) return wrong.errors();
    out.wrong_when_timed += *wrong;
    if (i % 8 == 4) note_clocks(out, gpu.clocks());
  }
  std::vector<double> student_warm;
  std::vector<double> reference_warm;
  const double cold_us = median(student_us);
  for (int i = 0; i < job.launches; ++i) {
    const Result<double> us = timed_warm(gpu, student, buffers.arguments(), cold_us);
    if (!us.ok()) return us.errors();
    student_warm.push_back(*us);
  }
  note_clocks(out, gpu.clocks());
  for (int i = 0; reference != nullptr && i < job.launches; ++i) {
    const Result<double> us = timed_warm(gpu, *reference, buffers.arguments(), cold_us);
    if (!us.ok()) return us.errors();
    reference_warm.push_back(*us);
  }
  out.student = summary_of(std::move(student_us), std::move(student_warm));
  if (reference != nullptr) {
    out.reference = summary_of(std::move(reference_us), std::move(reference_warm));
  }
  return out;
}

}  // namespace warpshop::device
