// The registers that an operand names.
#pragma once

#include <cstddef>

#include "ptx/module.h"

namespace warpshop::ptx {

// Calls visit(index into Function::registers) for each, base registers of addresses included.
template <typename Visit>
void each_register(const Operand& operand, const Visit& visit) {
  if (operand.register_index >= 0) visit(static_cast<size_t>(operand.register_index));
  for (const Operand& element : operand.elements) each_register(element, visit);
}

}  // namespace warpshop::ptx
