// The roofline: how much work a kernel does for each byte, under the ceilings of a GPU.
// Sources: Williams, Waterman, Patterson, "Roofline: An Insightful Visual Performance Model for
// Multicore Architectures" (CACM 2009); with warp instructions instead of floating-point operations:
// Ding, Williams, "An Instruction Roofline Model for GPUs" (PMBS 2019).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/sentence.h"
#include "models/gpu_profile.h"
#include "timing/prediction.h"

namespace warpshop::timing {

enum class RooflineWork {
  kFlop,             // single precision, an FMA counts two
  kWarpInstructions  // issued: for kernels without arithmetic on floats
};

// Operations on floats where they are at least one in fifty of the lanes' instructions; fewer are those
// of integer division and the like.
RooflineWork main_work(const Prediction& prediction);

// A slanted roof limits bytes a second, a flat one operations a second.
struct Roof {
  Sentence name;           // "DRAM", "L2", "FP32", "issue"
  double gb_s = 0;         // slanted: 10^9 bytes a second
  double giga_s = 0;       // flat: 10^9 operations a second
  std::string source = {}; // where its number comes from, for people
  bool assumed = false;    // nobody wrote the number down or measured it
  double at(double per_byte) const { return gb_s > 0 ? gb_s * per_byte : giga_s; }
};

// DRAM first, then L2 where the profile has its numbers, then the flat roof.
std::vector<Roof> roofs_of(const models::GpuProfile& gpu, RooflineWork work);

// Schedulers of an SM, each issues one warp instruction a cycle; 2.x to 6.x can issue two of them at once from a warp, which a roof of
// sustained issue leaves out.
int schedulers_per_sm(models::ComputeCapability capability);

// Lanes for single precision of an SM: CUDA C++ Programming Guide, "Throughput of Native Arithmetic
// Instructions" (add, multiply, multiply-add), and guide 4.2 for 1.x and 2.x.
int fp32_lanes_per_sm(models::ComputeCapability capability);

struct RooflinePoint {
  double giga_s = 0;                    // achieved
  std::optional<double> per_dram_byte;  // none: DRAM moves nothing
  std::optional<double> per_l2_byte;
  double attainable_giga_s = 0;         // under the lowest roof at its intensities
  double of_roof = 0;                   // giga_s / attainable_giga_s
  Sentence roof;                        // the name of that roof
};
// None: the kernel does no such work.
std::optional<RooflinePoint> roofline_point(const Prediction& prediction, RooflineWork work,
                                            const std::vector<Roof>& roofs);

}  // namespace warpshop::timing
