// Integer divisions by zero: the hardware continues with all bits set, and the student would look
// for the resulting wrong index elsewhere.
#pragma once

#include "lanes/lane_forms.h"
#include "ptx/module.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

// Makes a decoded integer div or rem check its divisors first.
void check_divisors(const ptx::Instruction& i, const LaneForm& form, MicroOp& op);

}  // namespace warpshop::emulator
