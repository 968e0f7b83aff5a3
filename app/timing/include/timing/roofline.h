// The roofline model: a kernel's work per byte under a GPU's ceilings. Sources: Williams, Waterman,
// Patterson, "Roofline: An Insightful Visual Performance Model for Multicore Architectures" (CACM
// 2009); with warp instructions instead of floating-point operations: Ding, Williams, "An
// Instruction Roofline Model for GPUs" (PMBS 2019).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/sentence.h"
#include "models/gpu_profile.h"
#include "timing/prediction.h"

namespace warpshop::timing {

enum class RooflineWork {
  kFlop,             // single precision; an FMA counts as two
  kWarpInstructions  // issued; for kernels without floating-point work
};

// kFlop if floating-point operations are at least one in fifty of the lanes' instructions. Below
// that, they come from integer division and the like.
RooflineWork main_work(const Prediction& prediction);

// A slanted roof limits bytes per second, a flat one operations per second.
struct Roof {
  Sentence name;            // "DRAM", "L2", "FP32", "issue"
  double gb_s = 0;          // slanted: 10^9 bytes per second
  double giga_s = 0;        // flat: 10^9 operations per second
  std::string source = {};  // where the number comes from, for users
  bool assumed = false;     // the number is neither published nor measured
  bool measured = false;    // by a benchmark; else it is published, or derived from such numbers
  double at(double per_byte) const { return gb_s > 0 ? gb_s * per_byte : giga_s; }
};

// DRAM first, then L2 if the profile has its numbers, then the flat roof.
std::vector<Roof> roofs_of(const models::GpuProfile& gpu, RooflineWork work);

// True if one of the roofs is the ceiling of what limits a kernel; none is for shared memory,
// latency, and the like.
bool has_roof(const std::vector<Roof>& roofs, Limiter limiter);

struct RooflinePoint {
  double giga_s = 0;                    // achieved
  std::optional<double> per_dram_byte;  // none: no DRAM traffic
  std::optional<double> per_l2_byte;
  double attainable_giga_s = 0;  // under the lowest roof at these intensities
  double of_roof = 0;            // giga_s / attainable_giga_s
  Sentence roof;                 // name of that roof
};
// None: the kernel does no work of this kind.
std::optional<RooflinePoint> roofline_point(const Prediction& prediction, RooflineWork work,
                                            const std::vector<Roof>& roofs);

}  // namespace warpshop::timing
