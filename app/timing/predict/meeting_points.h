// Where the oldest chips (1.x) let lanes meet again that a branch has parted. `joinat` puts the meeting point on the warp's
// stack before the branch, and what stands there, `join` tacked on, is issued by each of the paths.
//
// Sources: envytools, "Tesla CUDA ISA" (joinat, join, the control flow stack); CUDA C Programming Guide 4.2, 5.4.2: up to
// 7 instructions are predicated instead, where the compiler takes the condition for one that parts lanes.
#pragma once

#include <functional>
#include <set>
#include <vector>

#include "ptx/module.h"

namespace warpshop::timing {

// Registers whose value may differ between the lanes of a warp: what comes of the thread's number, of memory, textures
// and other lanes.
std::vector<bool> differs_by_lane(const ptx::Function& function);

struct MeetingPoints {
  std::set<int> prepared;  // instructions of the body: branches with a joinat before them
  std::set<int> arrived;   // last instructions of the arms that these branches go around
};

// `slots`: machine instructions of an instruction of the body. Branches backwards have none: a loop's lanes mostly leave
// it together.
MeetingPoints meeting_points(const ptx::Function& function, const std::function<int(const ptx::Instruction&)>& slots);

}  // namespace warpshop::timing
