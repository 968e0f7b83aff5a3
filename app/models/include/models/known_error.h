// The known error of a GPU's predicted times, as a clause to show beside them.
#pragma once

#include "core/sentence.h"
#include "models/gpu_profile.h"

namespace warpshop::models {

// "NVIDIA H200: 7% mean error on 315 kernels"; "NVIDIA RTX A6000: derived from the NVIDIA A40,
// error not known".
Sentence known_error(const GpuProfile& gpu);

}  // namespace warpshop::models
