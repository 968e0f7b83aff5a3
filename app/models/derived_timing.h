// Timing numbers that nobody has measured on a GPU, derived from those of a relative.
// docs/models.md, "Derived timing numbers", states the rules and why they hold.
#pragma once

#include "models/gpu_profile.h"

namespace warpshop::models {

// Fills every timing number of the one-SM model that `gpu` lacks and `relative` has. Each gets an
// origin that names the relative and the rule: "derived", or "assumed" if the relative's is.
void derive_timing(const GpuProfile& relative, GpuProfile& gpu);

}  // namespace warpshop::models
