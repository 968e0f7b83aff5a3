#include "backend/contraction.h"

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "analysis/instructions.h"
#include "analysis/liveness.h"
#include "ptx/operand_registers.h"

namespace warpshop::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

// True if the back end implements it with a branch that handles rare operands: IEEE 754 division,
// square root and reciprocal, and 64-bit integer division. (ptxas 13.0, sm_90: a conditional
// CALL.REL; products and sums on both sides stay apart, as measured on an H200.)
bool branches_inside(const Instruction& i) {
  const bool whole = has_modifier(i, "u64") || has_modifier(i, "s64");
  if (whole)
    return (i.opcode == "div" || i.opcode == "rem") &&
           i.operands.back().kind == Operand::Kind::kRegister;
  if (i.opcode != "div" && i.opcode != "sqrt" && i.opcode != "rcp") return false;
  return has_modifier(i, "rn") || has_modifier(i, "rz") || has_modifier(i, "rm") ||
         has_modifier(i, "rp");
}

// Basic blocks as seen by the back end: a block whose only predecessor falls through is part of it.
std::vector<int> joined_blocks(const ptx::Function& function, const ControlFlow& flow) {
  std::vector<int> predecessors(flow.blocks.size() + 1, 0);
  for (const BasicBlock& b : flow.blocks) {
    for (const int s : b.successors) ++predecessors[static_cast<size_t>(s)];
  }
  const std::vector<bool> live = live_registers(function);
  std::vector<int> block_of(function.body.size(), -1);
  int joined = 0;
  for (size_t b = 0; b < flow.blocks.size(); ++b) {
    const BasicBlock& block = flow.blocks[b];
    if (b > 0) {
      const BasicBlock& before = flow.blocks[b - 1];
      const Instruction& last = function.body[static_cast<size_t>(
          flow.items[static_cast<size_t>(before.end) - 1].instruction)];
      const bool falls_through =
          before.successors == std::vector<int>{static_cast<int>(b)} && !is_branch(last);
      if (!falls_through || predecessors[b] > 1) ++joined;
    }
    for (int n = block.first; n < block.end; ++n) {
      const int at = flow.items[static_cast<size_t>(n)].instruction;
      block_of[static_cast<size_t>(at)] = joined;
      const Instruction& i = function.body[static_cast<size_t>(at)];
      if (branches_inside(i) && defines_live(i.operands[0], live)) ++joined;
    }
  }
  return block_of;
}

bool is_plain(const Instruction& i, bool may_saturate) {
  return std::all_of(i.modifiers.begin(), i.modifiers.end(), [&](const std::string& m) {
    return m == "ftz" || (m == "sat" && may_saturate) || m == "f32" || m == "f64" || m == "f16" ||
           m == "f16x2" || m == "bf16" || m == "bf16x2";
  });
}

// The type of a product or sum: they are only fused if it is the same.
std::string kind_of(const Instruction& i) {
  return (has_modifier(i, "ftz") ? "ftz." : "") +
         (i.modifiers.empty() ? std::string() : i.modifiers.back());
}

constexpr int kLongestChain = 8;  // of mov and neg; registers may refer to each other in a cycle

bool is_copy(const Instruction& i) { return i.opcode == "mov" || i.opcode == "neg"; }

class Contracter {
 public:
  Contracter(const ptx::Function& function, const ControlFlow& flow)
      : function_(function),
        block_of_(joined_blocks(function, flow)),
        definitions_(function.registers.size()),
        reads_(function.registers.size()) {
    const std::vector<bool> live = live_registers(function);
    for (size_t n = 0; n < function.body.size(); ++n) {
      const Instruction& i = function.body[n];
      const bool writes = ptx::writes_first_operand(i);
      const auto at = static_cast<int>(n);
      if (writes) {
        ptx::each_register(i.operands[0],
                           [&](int r) { definitions_[static_cast<size_t>(r)].push_back(at); });
      }
      if (writes && !has_effect(i) && !defines_live(i.operands[0], live)) continue;
      if (i.guard_register >= 0) reads_[static_cast<size_t>(i.guard_register)].push_back({at, -1});
      for (size_t o = writes ? 1 : 0; o < i.operands.size(); ++o) {
        ptx::each_register(i.operands[o], [&](int r) {
          reads_[static_cast<size_t>(r)].push_back({at, static_cast<int>(o)});
        });
      }
    }
    for (size_t n = 0; n < function.body.size(); ++n) {
      const Instruction& i = function.body[n];
      if (i.opcode == "mul" && is_plain(i, false) && i.guard_register < 0)
        look_at(static_cast<int>(n));
    }
  }

  std::map<int, Contraction> choose() {
    std::map<int, Contraction> chosen;
    for (size_t n = 0; n < function_.body.size(); ++n) {
      const auto at = static_cast<int>(n);
      const auto found = sums_.find(at);
      if (found == sums_.end()) continue;
      const Term* best = nullptr;
      for (const Term& term : found->second) {
        if (!may_fuse(term.product, chosen)) continue;
        if (best == nullptr || uses_of(term.product) < uses_of(best->product)) best = &term;
      }
      if (best == nullptr) continue;
      Contraction& c = chosen[at];
      c.product = best->product;
      c.addend = 3 - best->operand;
      const bool subtracts = function_.body[n].opcode == "sub";
      c.negate_product = best->negated != (subtracts && best->operand == 2);
      c.negate_addend = subtracts && best->operand == 1;
      for (const Term& term : found->second) {
        if (&term != best) products_.at(term.product).is_addend = true;
      }
    }
    return chosen;
  }

 private:
  struct Read {
    int instruction = 0;
    int operand = -1;  // -1: its guard
  };
  struct Use {
    int sum = 0;
    int operand = 1;
  };
  struct Product {
    std::vector<Use> uses;
    bool is_addend = false;  // of a fused operation
  };
  struct Term {
    int product = 0;
    int operand = 1;  // of the sum
    bool negated = false;
  };

  // Adds a mul if all its uses are sums that it may be fused into.
  void look_at(int mul) {
    const Instruction& i = function_.body[static_cast<size_t>(mul)];
    if (i.operands.size() != 3) return;
    std::vector<std::pair<Use, bool>> uses;
    if (!follow(mul, mul, false, uses) || uses.empty()) return;
    std::set<int> sums;
    for (const auto& [use, negated] : uses) {
      if (!sums.insert(use.sum).second) return;  // both operands of one sum
    }
    Product& product = products_[mul];
    for (const auto& [use, negated] : uses) {
      product.uses.push_back(use);
      std::vector<Term>& terms = sums_[use.sum];
      terms.push_back({mul, use.operand, negated});
      std::sort(terms.begin(), terms.end(),
                [](const Term& a, const Term& b) { return a.operand < b.operand; });
    }
  }

  // Finds the sums that use the value written by `at`; false if it has any other use.
  bool follow(int at, int mul, bool negated, std::vector<std::pair<Use, bool>>& uses) const {
    const Operand& dest = function_.body[static_cast<size_t>(at)].operands[0];
    if (dest.kind != Operand::Kind::kRegister) return false;
    const auto r = static_cast<size_t>(dest.register_index);
    if (definitions_[r].size() != 1) return false;
    for (const Read& read : reads_[r]) {
      const Instruction& user = function_.body[static_cast<size_t>(read.instruction)];
      const Instruction& product = function_.body[static_cast<size_t>(mul)];
      if (is_copy(user) && read.operand == 1 && user.guard_register < 0 &&
          user.operands.size() == 2) {
        if (user.opcode == "neg" && kind_of(user) != kind_of(product)) return false;
        if (!follow(read.instruction, mul, negated != (user.opcode == "neg"), uses)) return false;
        continue;
      }
      const bool sum = (user.opcode == "add" || user.opcode == "sub") && is_plain(user, true) &&
                       user.operands.size() == 3 && read.operand > 0 &&
                       kind_of(user) == kind_of(product);
      if (!sum || !reaches(mul, read.instruction)) return false;
      uses.push_back({{read.instruction, read.operand}, negated});
    }
    return true;
  }

  // True if both factors still have the same values at the sum, and the back end looks that far.
  bool reaches(int mul, int sum) const {
    const Instruction& i = function_.body[static_cast<size_t>(mul)];
    const bool same_block =
        block_of_[static_cast<size_t>(mul)] == block_of_[static_cast<size_t>(sum)];
    if (mul > sum) return false;
    if (!same_block && !is_constant(i.operands[1]) && !is_constant(i.operands[2])) return false;
    for (const int o : {1, 2}) {
      const Operand& factor = i.operands[static_cast<size_t>(o)];
      if (factor.register_index < 0) continue;
      const std::vector<int>& written = definitions_[static_cast<size_t>(factor.register_index)];
      if (!same_block && written.size() > 1) return false;
      if (std::any_of(written.begin(), written.end(),
                      [&](int at) { return at >= mul && at < sum; }))
        return false;
    }
    return true;
  }

  // True for numbers and parameters of the kernel, which need no register.
  bool is_constant(const Operand& o, int steps = kLongestChain) const {
    if (o.kind == Operand::Kind::kFloat32 || o.kind == Operand::Kind::kFloat64 ||
        o.kind == Operand::Kind::kInteger) {
      return true;
    }
    if (steps == 0 || o.kind != Operand::Kind::kRegister) return false;
    const std::vector<int>& definitions = definitions_[static_cast<size_t>(o.register_index)];
    if (definitions.size() != 1) return false;
    const Instruction& i = function_.body[static_cast<size_t>(definitions[0])];
    if (i.guard_register >= 0) return false;
    if (i.opcode == "ld") return function_.is_entry && has_modifier(i, "param");
    return i.opcode == "mov" && i.operands.size() == 2 && is_constant(i.operands[1], steps - 1);
  }

  int uses_of(int product) const { return static_cast<int>(products_.at(product).uses.size()); }

  bool may_fuse(int product, const std::map<int, Contraction>& chosen) const {
    const Product& p = products_.at(product);
    if (p.is_addend) return false;
    for (const Use& use : p.uses) {
      if (chosen.contains(use.sum)) continue;
      const Instruction& sum = function_.body[static_cast<size_t>(use.sum)];
      const int other =
          product_in(sum.operands[static_cast<size_t>(3 - use.operand)], kLongestChain);
      if (other >= 0 && other != product && use_count(other) < uses_of(product)) return false;
    }
    return true;
  }

  // The mul that computes an operand, through mov and neg; -1: none.
  int product_in(const Operand& o, int steps) const {
    if (steps == 0 || o.kind != Operand::Kind::kRegister) return -1;
    const std::vector<int>& definitions = definitions_[static_cast<size_t>(o.register_index)];
    if (definitions.size() != 1) return -1;
    const Instruction& i = function_.body[static_cast<size_t>(definitions[0])];
    if (is_copy(i) && i.operands.size() == 2) return product_in(i.operands[1], steps - 1);
    return i.opcode == "mul" && is_plain(i, false) ? definitions[0] : -1;
  }

  int use_count(int mul) const {
    const Operand& dest = function_.body[static_cast<size_t>(mul)].operands[0];
    return dest.register_index < 0
               ? 0
               : static_cast<int>(reads_[static_cast<size_t>(dest.register_index)].size());
  }

  const ptx::Function& function_;
  std::vector<int> block_of_;
  std::vector<std::vector<int>> definitions_;  // by register: instructions
  std::vector<std::vector<Read>> reads_;       // by register: reads by live instructions
  std::map<int, Product> products_;            // by mul
  std::map<int, std::vector<Term>> sums_;      // by add or sub, in the order of its operands
};

}  // namespace

std::map<int, Contraction> find_contractions(const ptx::Function& function,
                                             const ControlFlow& flow) {
  const bool any =
      std::any_of(function.body.begin(), function.body.end(),
                  [](const Instruction& i) { return i.opcode == "mul" && is_plain(i, false); });
  if (!any) return {};
  return Contracter(function, flow).choose();
}

}  // namespace warpshop::emulator
