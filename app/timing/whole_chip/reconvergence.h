// Reconvergence points on compute capability 1.x. `joinat` pushes the reconvergence point onto the
// warp's stack before a branch; the instruction there, with `join` attached, is issued once per
// path.
//
// Sources: envytools, "Tesla CUDA ISA" (joinat, join, the control flow stack); CUDA C Programming
// Guide 4.2, 5.4.2: up to 7 instructions are predicated instead if the compiler expects the
// condition to diverge.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "ptx/module.h"

namespace warpshop::timing {

// Registers whose values may differ between lanes: anything derived from the thread index, memory,
// textures or other lanes.
std::vector<bool> differs_by_lane(const ptx::Function& function);

struct ReconvergencePoints {
  std::set<int> prepared;  // branches, by index in the body, preceded by a joinat
  std::set<int> arrived;   // last instructions of the arms that these branches skip
};

// `slots`: machine instructions per PTX instruction. Backward branches get no reconvergence point,
// because the lanes of a loop usually leave it together.
ReconvergencePoints reconvergence_points(const ptx::Function& function,
                                         const std::function<int(const ptx::Instruction&)>& slots);

}  // namespace warpshop::timing
