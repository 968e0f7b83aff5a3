// Registers with the same value in every lane of a warp, as far as a compiler can tell.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warpshop::emulator {

// Uniform: derived only from parameters, constants, addresses of variables and block-wide special
// registers; with several definitions, only if no branch of the function depends on a lane.
std::vector<bool> uniform_registers(const ptx::Function& function);

// True if the address has only uniform parts.
bool is_uniform_address(const ptx::Operand& address, const std::vector<bool>& uniform);

}  // namespace warpshop::emulator
