#include "whole_chip/reconvergence.h"

#include <algorithm>
#include <string_view>

#include "ptx/operand_registers.h"

namespace warpshop::timing {
namespace {

using ptx::Instruction;

constexpr int kPredicated = 7;

bool starts_to_diverge(const Instruction& i) {
  static const std::set<std::string_view> kOthers = {"tex",  "tld4",  "suld", "atom",
                                                     "shfl", "clock", "call"};
  if (kOthers.contains(i.opcode)) return true;
  if (i.opcode == "ld") return !has_modifier(i, "param") && !has_modifier(i, "const");
  return i.opcode == "mov" && i.operands.size() == 2 &&
         i.operands[1].kind == ptx::Operand::Kind::kSpecial &&
         (i.operands[1].text.starts_with("%tid") || i.operands[1].text.starts_with("%lane"));
}

}  // namespace

std::vector<bool> differs_by_lane(const ptx::Function& function) {
  std::vector<bool> differs(function.registers.size(), false);
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& i : function.body) {
      const std::vector<int> read = ptx::read_registers(i);
      const bool any = starts_to_diverge(i) || std::any_of(read.begin(), read.end(), [&](int r) {
                         return differs[static_cast<size_t>(r)];
                       });
      if (!any) continue;
      for (const int r : ptx::written_registers(i)) {
        changed = changed || !differs[static_cast<size_t>(r)];
        differs[static_cast<size_t>(r)] = true;
      }
    }
  }
  return differs;
}

ReconvergencePoints reconvergence_points(const ptx::Function& function,
                                         const std::function<int(const Instruction&)>& slots) {
  ReconvergencePoints points;
  const std::vector<bool> differs = differs_by_lane(function);
  for (int n = 0; n < static_cast<int>(function.body.size()); ++n) {
    const Instruction& i = function.body[static_cast<size_t>(n)];
    if (i.opcode != "bra" || i.guard_register < 0 ||
        !differs[static_cast<size_t>(i.guard_register)])
      continue;
    if (i.operands.empty() || i.operands[0].label_index < 0) continue;
    const int target = function.labels[static_cast<size_t>(i.operands[0].label_index)].position;
    int arm = 0;
    for (int m = n + 1; m < target; ++m) arm += slots(function.body[static_cast<size_t>(m)]);
    if (target <= n || arm <= kPredicated) continue;
    points.prepared.insert(n);
    points.arrived.insert(target - 1);
  }
  return points;
}

}  // namespace warpshop::timing
