// Facts about a single PTX instruction.
#pragma once

#include <cstddef>
#include <string_view>

#include "ptx/module.h"

namespace warpshop::emulator {

// The last modifier that names a type; kNone if there is none.
ptx::Type type_of(const ptx::Instruction& i);
// The state space among the modifiers; kGeneric if there is none.
ptx::Space space_of(const ptx::Instruction& i);
// The first operand that is an address, from operand `from` on; null if there is none.
const ptx::Operand* address_operand(const ptx::Instruction& i, size_t from = 0);
// A load or store that is volatile, relaxed or stronger, or .mmio. PTX ISA §8, "strong operations".
bool is_strong(const ptx::Instruction& i);
// Bytes per lane in a register of this type: 2 for 8-bit types, 0 for predicates.
int register_width(ptx::Type type);

}  // namespace warpshop::emulator
