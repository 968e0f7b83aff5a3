#include "state/second_gpu.h"

#include <algorithm>
#include <cstdlib>

namespace warpshop::ui {

std::string second_gpu(const std::vector<models::GpuProfile>& gpus, std::string_view first,
                       std::string_view chosen) {
  const auto found = [&](std::string_view id) {
    return std::find_if(gpus.begin(), gpus.end(),
                        [&](const models::GpuProfile& gpu) { return gpu.id == id; });
  };
  if (chosen != first && found(chosen) != gpus.end()) return std::string(chosen);
  const auto of_first = found(first);
  std::string best;
  int farthest = -1;
  for (const models::GpuProfile& gpu : gpus) {
    if (gpu.id == first) continue;
    const int years = of_first == gpus.end() ? 0 : std::abs(gpu.year - of_first->year);
    if (years >= farthest) {
      farthest = years;
      best = gpu.id;
    }
  }
  return best;
}

}  // namespace warpshop::ui
