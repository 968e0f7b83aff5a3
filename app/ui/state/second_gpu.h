// Which GPU stands beside the first in "Two GPUs". No drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/gpu_profile.h"

namespace warpshop::ui {

// The id of the chosen one, or, where that is the first itself or unknown, of the one that is
// farthest in time from the first: nobody learns from a GPU beside itself. The last of those; ""
// where there is no other.
std::string second_gpu(const std::vector<models::GpuProfile>& gpus, std::string_view first,
                       std::string_view chosen);

}  // namespace warpshop::ui
