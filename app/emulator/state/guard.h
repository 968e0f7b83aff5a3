// The guard of an instruction, `@p` or `@!p`: only lanes whose predicate holds run it.
#pragma once

#include "state/micro_op.h"

namespace warpshop::emulator::control {

// a: the predicate (flags bit 0: negated); imm: micro-ops to skip if no lane runs the instruction.
const MicroOp* guard(Warp& warp, const MicroOp* op);
// After the guarded instruction.
const MicroOp* unguard(Warp& warp, const MicroOp* op);

}  // namespace warpshop::emulator::control
