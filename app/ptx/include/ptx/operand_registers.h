// Which registers an instruction writes and reads, as indices into Function::registers.
#pragma once

#include <cstddef>
#include <vector>

#include "ptx/module.h"

namespace warpshop::ptx {

// Calls visit(index) for each register of an operand, base registers of addresses included.
template <typename Visit>
void each_register(const Operand& operand, const Visit& visit) {
  if (operand.register_index >= 0) visit(static_cast<size_t>(operand.register_index));
  for (const Operand& element : operand.elements) each_register(element, visit);
}

// True if the first operand is a destination: no address, label or barrier number. PTX ISA, the
// syntax of each instruction.
bool writes_first_operand(const Instruction& i);
bool reads_first_operand(const Instruction& i);  // wgmma does both

// Calls visit(index) for each register that an instruction reads, its guard included.
template <typename Visit>
void each_read(const Instruction& i, const Visit& visit) {
  if (i.guard_register >= 0) visit(static_cast<size_t>(i.guard_register));
  for (size_t n = reads_first_operand(i) ? 0 : 1; n < i.operands.size(); ++n)
    each_register(i.operands[n], visit);
}

std::vector<int> written_registers(const Instruction& i);
std::vector<int> read_registers(const Instruction& i);  // its guard last; not wgmma's destination

}  // namespace warpshop::ptx
