#include "analysis/liveness.h"

#include <cstdint>
#include <set>
#include <string_view>
#include <utility>

#include "analysis/instructions.h"
#include "ptx/operand_registers.h"

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

bool defines_live(const Operand& dest, const std::vector<bool>& live) {
  if (dest.kind == Operand::Kind::kRegister) return live[static_cast<size_t>(dest.register_index)];
  for (const Operand& e : dest.elements) {
    if (e.kind == Operand::Kind::kRegister && live[static_cast<size_t>(e.register_index)])
      return true;
  }
  return false;
}

std::vector<bool> registers_read(const ptx::Function& function) {
  std::vector<bool> read(function.registers.size(), false);
  for (const ptx::Instruction& i : function.body) {
    ptx::each_read(i, [&](size_t r) { read[r] = true; });
  }
  return read;
}

std::vector<bool> live_registers(const ptx::Function& function) {
  std::vector<bool> live(function.registers.size(), false);
  bool changed = true;
  const auto mark = [&](size_t r) {
    changed = changed || !live[r];
    live[r] = true;
  };
  while (changed) {
    changed = false;
    for (auto it = function.body.rbegin(); it != function.body.rend(); ++it) {
      const Instruction& i = *it;
      const bool effect = has_effect(i);
      if (!effect && (i.operands.empty() || !defines_live(i.operands[0], live))) continue;
      ptx::each_read(i, mark);
    }
  }
  return live;
}

namespace {

using Bits = std::vector<uint64_t>;

void set(Bits& bits, size_t at, bool to) {
  const uint64_t bit = uint64_t{1} << at % 64;
  bits[at / 64] = to ? bits[at / 64] | bit : bits[at / 64] & ~bit;
}

// From what is live behind the instruction to what is live before it.
void go_back(Bits& live, const Instruction& i) {
  if (ptx::writes_first_operand(i) && i.guard_register < 0)
    ptx::each_register(i.operands[0], [&](size_t r) { set(live, r, false); });
  ptx::each_read(i, [&](size_t r) { set(live, r, true); });
}

}  // namespace

std::vector<size_t> registers_read_unset(const ptx::Function& function, const ControlFlow& flow) {
  const size_t words = function.registers.size() / 64 + 1;
  std::vector<Bits> before(flow.blocks.size() + 1, Bits(words));  // nothing is live at the end
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t b = flow.blocks.size(); b-- > 0;) {
      const BasicBlock& block = flow.blocks[b];
      Bits live(words);
      for (const int successor : block.successors) {
        for (size_t w = 0; w < words; ++w) live[w] |= before[static_cast<size_t>(successor)][w];
      }
      for (int n = block.end; n-- > block.first;) {
        const CodeItem& item = flow.items[static_cast<size_t>(n)];
        go_back(live, function.body[static_cast<size_t>(item.instruction)]);
      }
      changed = changed || live != before[b];
      before[b] = std::move(live);
    }
  }
  std::vector<size_t> out;
  for (size_t r = 0; r < function.registers.size(); ++r) {
    if ((before.front()[r / 64] >> r % 64 & 1) != 0) out.push_back(r);
  }
  return out;
}

}  // namespace warpshop::emulator
