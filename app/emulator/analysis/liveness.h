// Liveness: registers whose value reaches a store, a branch or another effect. The back end drops
// the rest.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warpshop::emulator {

bool has_effect(const ptx::Instruction& i);  // other than writing registers
bool writes_first_operand(const ptx::Instruction& i);
bool reads_first_operand(const ptx::Instruction& i);  // wgmma does both

// By register: whether an effect depends on it, directly or through other registers.
std::vector<bool> live_registers(const ptx::Function& function);
// True if a destination contains such a register.
bool defines_live(const ptx::Operand& dest, const std::vector<bool>& live);

}  // namespace warpshop::emulator
