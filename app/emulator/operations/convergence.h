// Convergence of lanes at an instruction with a member mask, from whatever paths they come.
//
// "shfl.sync will cause executing thread to wait until all non-exited threads corresponding to
// membermask have executed shfl.sync with the same qualifiers and same membermask value before
// resuming execution." (PTX ISA, shfl.sync; the same words for vote.sync, match.sync, redux.sync
// and bar.warp.sync.) So the lanes may execute the instruction in different places. "For .target
// sm_6x or below, all threads in membermask must execute the same instruction in convergence":
// there, no lane waits.
#pragma once

#include <cstdint>
#include <string_view>

#include "state/micro_op.h"
#include "state/warp.h"

namespace warpshop::emulator {

// True if the running lanes are exactly the live lanes of one mask, which all of them give.
inline bool all_converged(Warp& warp, const MicroOp* op) {
  const uint32_t* members = warp.reg<uint32_t>(static_cast<uint32_t>(op->imm));
  const uint32_t mask = members[std::countr_zero(warp.mask)];
  if (((mask ^ warp.mask) & warp.live) != 0 || (warp.mask & ~mask) != 0) return false;
  uint32_t different = 0;
  if (warp.full) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) different |= members[lane] ^ mask;
  } else {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane)
      different |= (members[lane] ^ mask) & warp.lane_mask[lane];
  }
  return different == 0;
}

// Called if they are not: checks the masks, waits for lanes that are elsewhere, or executes the
// instruction for several paths together. True: the handler continues with the running lanes;
// false: continue at `next`.
bool converge(Warp& warp, const MicroOp* op, const MicroOp*& next);

// For a waiting path: true if every live lane in its mask has arrived.
bool all_arrived(Warp& warp, const Path& path);
// Reports lanes in the mask that exited without having executed the instruction.
void note_exited_members(Warp& warp, const MicroOp* op);
// Reports a path whose missing lanes wait elsewhere themselves.
const MicroOp* report_missed_convergence(Warp& warp);

}  // namespace warpshop::emulator
