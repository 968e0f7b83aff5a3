// Which registers hold the same value in every lane of a warp, as a compiler can tell from the text.
#pragma once

#include <vector>

#include "ptx/module.h"

namespace warpshop::emulator {

// Uniform: made only of parameters, constants, addresses of variables and block-wide special registers; a register
// with several definitions counts only where no branch of the function depends on a lane.
std::vector<bool> uniform_registers(const ptx::Function& function);

// Is the address made of uniform parts only?
bool is_uniform_address(const ptx::Operand& address, const std::vector<bool>& uniform);

}  // namespace warpshop::emulator
