#include "state/gpu_times.h"

namespace warpshop::ui {

std::optional<GpuTime> gpu_time_of(const lab::RunResult& result) {
  if (!result.sizes.empty() || result.timed) {
    const lab::SizeResult& size = result.timed ? *result.timed : result.sizes.front();
    if (size.student.prediction) return GpuTime{size.student.prediction->time_us, {}};
  }
  const Diagnostics& problems =
      result.prediction_problems.empty() ? result.diagnostics : result.prediction_problems;
  for (const Diagnostic& problem : problems) {
    if (problem.severity == Severity::kError) return GpuTime{0, problem.message};
  }
  return std::nullopt;
}

}  // namespace warpshop::ui
