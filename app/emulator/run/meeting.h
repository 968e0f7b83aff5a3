// Lanes that meet at an instruction with a member mask, from whatever paths they come.
//
// "shfl.sync will cause executing thread to wait until all non-exited threads corresponding to membermask have
// executed shfl.sync with the same qualifiers and same membermask value before resuming execution." (PTX ISA, shfl.sync;
// the same words for vote.sync, match.sync, redux.sync and bar.warp.sync.) So the instructions may stand in
// different places. "For .target sm_6x or below, all threads in membermask must execute the same instruction in
// convergence": there nobody is waited for.
#pragma once

#include <cstdint>
#include <string_view>

#include "run/micro_op.h"
#include "run/warp.h"

namespace warpshop::emulator {

// Do the running lanes form the whole meeting? All of them give one mask, which names them, and nobody else that lives.
inline bool all_here(Warp& warp, const MicroOp* op) {
  const uint32_t* members = warp.reg<uint32_t>(static_cast<uint32_t>(op->imm));
  const uint32_t mask = members[std::countr_zero(warp.mask)];
  if (((mask ^ warp.mask) & warp.live) != 0 || (warp.mask & ~mask) != 0) return false;
  uint32_t different = 0;
  if (warp.full) {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) different |= members[lane] ^ mask;
  } else {
    for (uint32_t lane = 0; lane < kWarpSize; ++lane) different |= (members[lane] ^ mask) & warp.lane_mask[lane];
  }
  return different == 0;
}

// What to do when they do not: checks the masks, waits for lanes that are elsewhere, or carries out the meeting of
// several paths. True: the handler goes on with the running lanes; false: `next` is where to run.
bool gather_lanes(Warp& warp, const MicroOp* op, const MicroOp*& next);

// For a path that waits: has every lane come that lives and that it waits for?
bool everyone_met(Warp& warp, const Path& path);
// Says so when lanes that the mask names passed the meeting by and exited.
void note_lanes_that_left(Warp& warp, const MicroOp* op);
// The lanes that a path waits for wait elsewhere themselves.
const MicroOp* report_missed_meeting(Warp& warp);

}  // namespace warpshop::emulator
