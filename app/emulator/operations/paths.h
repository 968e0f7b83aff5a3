// The paths of a warp: which lanes run together, which wait for which, and which run next.
//
// Warp::paths is a forest in which parents precede children. A divergent branch turns the running
// path into a parent, which waits at the reconvergence point (the branch's immediate
// post-dominator), and makes each side a child; a call makes the caller the parent of the callee's
// path. A path that reaches its reconvergence point is removed: its lanes then belong to the parent
// only. A path without children is a leaf; the last leaf runs. Lanes of a parent that are in no
// child have arrived and wait for the others.
//
// Compute capability 7.0 and newer guarantees progress to every lane (CUDA C++ Programming Guide,
// "Independent Thread Scheduling"): there, lanes that have arrived may be released ahead of others
// that wait for them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/diagnostic.h"
#include "state/micro_op.h"
#include "state/warp.h"

namespace warpshop::emulator::control {

// Continues the top path; if it is empty or waits, another one; if none can run, the warp waits or
// a finding explains why it never continues. Returns where to run.
const MicroOp* resume(Warp& warp);
// Ends the warp.
const MicroOp* finish(Warp& warp);

bool is_leaf(const Warp& warp, size_t path);
// Makes the leaf with these lanes the running path, including its registers.
const MicroOp* run_leaf(Warp& warp, uint32_t lanes);
// Releases the lanes that have arrived at the innermost reconvergence point with waiting lanes.
// Returns them; 0: no lanes wait at one.
uint32_t release_arrived(Warp& warp);
// Merges leaves that are at the same place and have the same reconvergence point. The running
// path's pc must be up to date.
void merge_leaves(Warp& warp);
// The leaf that contains a live lane, or the parent in which it has arrived.
const Path& path_of_lane(const Warp& warp, int lane);
bool has_independent_lanes(const Warp& warp);

// Place in the student's file of an operation of a path's function; a block header has the place of
// the next instruction.
SourcePlace source_of(const Warp& warp, const Path& path);
SourcePlace source_of(const Warp& warp, const Path& path, const MicroOp* at);

}  // namespace warpshop::emulator::control
