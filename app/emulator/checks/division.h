// Integer divisions by zero: the hardware goes on with all bits set, and a student looks for the wrong index that
// comes of it somewhere else.
#pragma once

#include "lanes/lane_forms.h"
#include "ptx/module.h"
#include "run/micro_op.h"

namespace warpshop::emulator {

// Lets the decoded div or rem of integers look at its divisors first.
void check_divisors(const ptx::Instruction& i, const LaneForm& form, MicroOp& op);

}  // namespace warpshop::emulator
