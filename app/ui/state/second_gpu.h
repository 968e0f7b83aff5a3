// The GPU to compare with the first in "Two GPUs". No drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/gpu_profile.h"

namespace warpshop::ui {

// The id of the chosen GPU. If that is the first GPU itself or unknown, the one whose release is
// farthest in time from the first: comparing a GPU with itself teaches nothing. On a tie, the last
// one; "" if there is no other GPU.
std::string second_gpu(const std::vector<models::GpuProfile>& gpus, std::string_view first,
                       std::string_view chosen);

}  // namespace warpshop::ui
