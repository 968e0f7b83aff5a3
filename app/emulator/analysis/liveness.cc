#include "analysis/liveness.h"

#include <set>
#include <string_view>

#include "analysis/instructions.h"

namespace warpshop::emulator {

using ptx::Instruction;
using ptx::Operand;

bool has_effect(const Instruction& i) {
  static const std::set<std::string_view> kEffects = {
      "st",    "red",   "atom",     "bra",    "brx",      "call", "ret",   "exit",
      "bar",   "trap",  "barrier",  "membar", "fence",    "shfl", "vote",  "match",
      "redux", "elect", "mbarrier", "cp",     "stmatrix", "sust", "sured", "wgmma"};
  return kEffects.contains(i.opcode) || has_modifier(i, "volatile") ||
         (i.opcode == "wmma" && has_modifier(i, "store"));
}

bool writes_first_operand(const Instruction& i) {
  return !i.operands.empty() && i.opcode != "st" && i.opcode != "red" && i.opcode != "bra" &&
         i.opcode != "bar" && i.opcode != "barrier" && i.opcode != "call" &&
         i.operands[0].kind != Operand::Kind::kAddress;
}

bool reads_first_operand(const Instruction& i) {
  return !writes_first_operand(i) || i.opcode == "wgmma";
}

bool defines_live(const Operand& dest, const std::vector<bool>& live) {
  if (dest.kind == Operand::Kind::kRegister) return live[static_cast<size_t>(dest.register_index)];
  for (const Operand& e : dest.elements) {
    if (e.kind == Operand::Kind::kRegister && live[static_cast<size_t>(e.register_index)])
      return true;
  }
  return false;
}

std::vector<bool> live_registers(const ptx::Function& function) {
  std::vector<bool> live(function.registers.size(), false);
  auto mark = [&](auto&& self, const Operand& o) -> bool {
    bool changed = false;
    if (o.register_index >= 0 && !live[static_cast<size_t>(o.register_index)]) {
      live[static_cast<size_t>(o.register_index)] = true;
      changed = true;
    }
    for (const Operand& e : o.elements) changed = self(self, e) || changed;
    return changed;
  };
  bool changed = true;
  while (changed) {
    changed = false;
    for (auto it = function.body.rbegin(); it != function.body.rend(); ++it) {
      const Instruction& i = *it;
      const bool effect = has_effect(i);
      if (!effect && (i.operands.empty() || !defines_live(i.operands[0], live))) continue;
      if (i.guard_register >= 0 && !live[static_cast<size_t>(i.guard_register)]) {
        live[static_cast<size_t>(i.guard_register)] = true;
        changed = true;
      }
      for (size_t n = reads_first_operand(i) ? 0 : 1; n < i.operands.size(); ++n) {
        changed = mark(mark, i.operands[n]) || changed;
      }
    }
  }
  return live;
}

}  // namespace warpshop::emulator
