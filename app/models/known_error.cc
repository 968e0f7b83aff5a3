#include "models/known_error.h"

namespace warpshop::models {

Sentence known_error(const GpuProfile& gpu) {
  if (gpu.error_pct && gpu.error_kernels) {
    return sentence("{gpu}: {percent}% mean error on {kernels} kernels",
                    {{"gpu", gpu.name},
                     {"percent", decimal(*gpu.error_pct, 0)},
                     {"kernels", static_cast<uint64_t>(*gpu.error_kernels)}});
  }
  if (!gpu.relative_name.empty()) {
    return sentence("{gpu}: derived from the {relative}, error not known",
                    {{"gpu", gpu.name}, {"relative", gpu.relative_name}});
  }
  return sentence("{gpu}: error not known", {{"gpu", gpu.name}});
}

}  // namespace warpshop::models
