// Which registers matter: those whose value reaches a store, a branch or another effect. The back end drops the rest.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warpshop::emulator {

bool has_effect(const ptx::Instruction& i);            // beyond the registers it writes
bool writes_first_operand(const ptx::Instruction& i);  // else all its operands are sources

// By register: whether some effect needs it, directly or through others.
std::vector<bool> needed_registers(const ptx::Function& function);
// Whether a destination holds such a register.
bool defines_needed(const ptx::Operand& dest, const std::vector<bool>& needed);

}  // namespace warpshop::emulator
