// Liveness: registers whose value reaches a store, a branch or another effect, as the back end
// drops the rest; and those that are live where a function begins.
#pragma once

#include <cstddef>
#include <vector>

#include "analysis/cfg.h"
#include "ptx/module.h"

namespace warpshop::emulator {

bool has_effect(const ptx::Instruction& i);  // other than writing registers

// By register: whether an effect depends on it, directly or through other registers.
std::vector<bool> live_registers(const ptx::Function& function);
// By register: whether an instruction of the function reads it.
std::vector<bool> registers_read(const ptx::Function& function);
// True if a destination contains such a register, of either kind.
bool defines_live(const ptx::Operand& dest, const std::vector<bool>& live);

// Registers that some path through the function may read before it writes them. A guarded write
// counts as none.
std::vector<size_t> registers_read_unset(const ptx::Function& function, const ControlFlow& flow);

}  // namespace warpshop::emulator
