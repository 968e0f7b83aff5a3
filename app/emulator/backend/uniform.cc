#include "backend/uniform.h"

#include <set>
#include <string_view>

#include "analysis/instructions.h"

namespace warpshop::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

bool is_lane_special(std::string_view name) {
  return name.starts_with("%tid") || name == "%laneid" || name.starts_with("%lanemask") ||
         name.starts_with("%clock") || name.starts_with("%globaltimer");
}

// True for results that depend on the lane or are unpredictable.
bool is_opaque(const Instruction& i) {
  static const std::set<std::string_view> kOpaque = {"atom",  "shfl",  "vote",       "match",
                                                     "redux", "elect", "activemask", "call",
                                                     "tex",   "tld4",  "suld"};
  if (i.opcode == "ld" || i.opcode == "ldu") return space_of(i) != ptx::Space::kParam;
  return kOpaque.contains(i.opcode);
}

bool is_uniform_operand(const Operand& o, const std::vector<bool>& uniform) {
  if (o.kind == Operand::Kind::kSpecial) return !is_lane_special(o.text);
  if (o.register_index >= 0 && !uniform[static_cast<size_t>(o.register_index)]) return false;
  for (const Operand& e : o.elements) {
    if (!is_uniform_operand(e, uniform)) return false;
  }
  return true;
}

void each_destination(const Instruction& i, auto&& visit) {
  if (i.operands.empty() || i.opcode == "st" || i.opcode == "red" || i.opcode == "bra") return;
  if (i.operands[0].kind == Operand::Kind::kRegister) visit(i.operands[0].register_index);
  for (const Operand& e : i.operands[0].elements) {
    if (e.kind == Operand::Kind::kRegister) visit(e.register_index);
  }
}

}  // namespace

std::vector<bool> uniform_registers(const ptx::Function& function) {
  std::vector<bool> uniform(function.registers.size(), true);
  std::vector<int> definitions(function.registers.size(), 0);
  for (const Instruction& i : function.body) {
    each_destination(i, [&](int r) { ++definitions[static_cast<size_t>(r)]; });
  }
  bool changed = true;
  bool divergent = false;
  while (changed) {
    changed = false;
    for (const Instruction& i : function.body) {
      const bool guard_uniform =
          i.guard_register < 0 || uniform[static_cast<size_t>(i.guard_register)];
      if ((i.opcode == "bra" && !guard_uniform) || i.opcode == "brx") divergent = true;
      bool inputs = guard_uniform && !is_opaque(i);
      for (size_t n = 1; n < i.operands.size(); ++n)
        inputs = inputs && is_uniform_operand(i.operands[n], uniform);
      each_destination(i, [&](int r) {
        const auto n = static_cast<size_t>(r);
        if (uniform[n] && (!inputs || (divergent && definitions[n] > 1))) {
          uniform[n] = false;
          changed = true;
        }
      });
    }
  }
  return uniform;
}

bool is_uniform_address(const ptx::Operand& address, const std::vector<bool>& uniform) {
  return is_uniform_operand(address, uniform);
}

}  // namespace warpshop::emulator
