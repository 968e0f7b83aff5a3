// The paths of a warp: which lanes run together, who waits for whom, who runs next.
//
// Warp::paths is a forest, written parents first. A divergent branch makes the running path a parent, which waits at
// the meeting point (the branch's immediate post-dominator), and its sides children; a call makes the caller the
// parent of the called function's path. A path that comes to its meeting point is taken off: its lanes are then
// the parent's alone. A path without children is a leaf; the last leaf runs. Lanes of a parent that are in no child
// have arrived and wait for the others.
//
// Compute capability 7.0 and newer promises that every lane gets on (CUDA C++ Programming Guide, "Independent
// Thread Scheduling"): there, lanes that have arrived may be let go ahead of the others, when those wait for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/diagnostic.h"
#include "run/micro_op.h"
#include "run/warp.h"

namespace warpshop::emulator::control {

// Lets the top path go on; when it is empty or waits, another one; when nobody can, the warp waits or a finding says
// why it never goes on. Gives where to run.
const MicroOp* resume(Warp& warp);
// Ends the warp.
const MicroOp* finish(Warp& warp);

bool is_leaf(const Warp& warp, size_t path);
// Makes the leaf with these lanes the running one; its registers, too.
const MicroOp* run_leaf(Warp& warp, uint32_t lanes);
// Lets the lanes go that have arrived at the innermost meeting point where there are any. Gives them; 0: nobody
// waits at one.
uint32_t release_arrived(Warp& warp);
// Joins leaves that are at one place and would meet at one point. The running path's pc must be up to date.
void merge_leaves(Warp& warp);
// The leaf that a living lane is in, or the parent in which it has arrived.
const Path& path_of_lane(const Warp& warp, int lane);
bool has_independent_lanes(const Warp& warp);

// Where in the student's file an operation of a path's function is; block headers belong to what follows.
SourcePlace source_of(const Warp& warp, const Path& path);
SourcePlace source_of(const Warp& warp, const Path& path, const MicroOp* at);

}  // namespace warpshop::emulator::control
