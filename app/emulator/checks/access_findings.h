// Findings of the access checks: element and thread first, bytes and address after them.
#pragma once

#include <cstdint>

#include "checks/access_intent.h"
#include "emulator/finding.h"
#include "memory/address_space.h"
#include "state/micro_op.h"
#include "state/warp.h"

namespace warpshop::emulator {

void note_out_of_bounds(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent,
                        int lane, uint64_t address, int bytes);
void note_misaligned(Warp& warp, const MicroOp* op, ptx::Space space, AccessIntent intent, int lane,
                     uint64_t address, int bytes);
// A read of never-written bytes in `region`, which is valid. Returns the result of note_finding.
Finding* note_uninitialised(Warp& warp, const MicroOp* op, const Region& region, ptx::Space space,
                            int lane, uint64_t address, int bytes, uint64_t times = 1);

}  // namespace warpshop::emulator
