#include "predict/needed_products.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <vector>

#include "ptx/operand_registers.h"

namespace warpshop::timing {
namespace {

using ptx::Instruction;
using ptx::Operand;

bool multiplies(const Instruction& i) {
  if (i.opcode == "mma") return true;
  return (i.opcode == "wmma" && has_modifier(i, "mma")) ||
         (i.opcode == "wgmma" && has_modifier(i, "mma_async"));
}

// Instructions whose results alone depend on the values of their operands.
bool computes(const Instruction& i) {
  static const std::set<std::string_view> kOpcodes = {
      "abs", "add", "and", "cos",  "copysign", "cvt", "div", "ex2",  "fma",  "lg2", "mad",
      "max", "min", "mov", "mul",  "neg",      "not", "or",  "prmt", "rcp",  "rem", "rsqrt",
      "set", "shl", "shr", "selp", "setp",     "sin", "sub", "sqrt", "tanh", "xor", "lop3"};
  return kOpcodes.contains(i.opcode);
}

bool loads(const Instruction& i) {
  return i.opcode == "ld" || i.opcode == "ldu" || i.opcode == "ldmatrix" ||
         (i.opcode == "wmma" && has_modifier(i, "load"));
}

bool stores(const Instruction& i) {
  return i.opcode == "st" || i.opcode == "stmatrix" ||
         (i.opcode == "wmma" && has_modifier(i, "store"));
}

// Follows sums from the products on, without regard to order.
class Sums {
 public:
  explicit Sums(const ptx::Function& function)
      : function_(function), holds_(function.registers.size(), false) {}

  // True if they may be noticed.
  bool are_noticed() {
    while (changed_) {
      changed_ = false;
      for (const Instruction& i : function_.body) {
        if (!pass(i)) return true;
      }
    }
    return false;
  }

 private:
  bool held_by(const Operand& operand) const {
    bool any = false;
    ptx::each_register(operand, [&](size_t r) { any = any || holds_[r]; });
    return any;
  }

  void put(const std::vector<int>& registers) {
    for (const int r : registers) {
      changed_ = changed_ || !holds_[static_cast<size_t>(r)];
      holds_[static_cast<size_t>(r)] = true;
    }
  }

  // False: sums may be noticed here.
  bool pass(const Instruction& i) {
    if (i.guard_register >= 0 && holds_[static_cast<size_t>(i.guard_register)]) return false;
    if (multiplies(i)) {
      // Factors and sums are vectors; a single register selects or describes.
      for (size_t n = 1; n < i.operands.size(); ++n) {
        if (i.operands[n].kind != Operand::Kind::kVector && held_by(i.operands[n])) return false;
      }
      put(ptx::written_registers(i));
      return true;
    }
    const bool moves = stores(i) || i.opcode == "shfl";  // operand 1, to where the others say
    bool in_data = false;
    bool elsewhere = false;
    for (size_t n = ptx::reads_first_operand(i) ? 0 : 1; n < i.operands.size(); ++n) {
      bool& held = moves && n == 1 ? in_data : elsewhere;
      held = held || held_by(i.operands[n]);
    }
    if (computes(i)) {
      if (elsewhere) put(ptx::written_registers(i));
      return true;
    }
    if (elsewhere) return false;
    if (stores(i)) {
      changed_ = changed_ || (in_data && !in_memory_);
      in_memory_ = in_memory_ || in_data;
      return !(in_data && has_modifier(i, "param"));  // what functions get is not followed
    }
    const bool from_memory =
        loads(i) && !has_modifier(i, "param") && !has_modifier(i, "const") && in_memory_;
    if (in_data || from_memory) put(ptx::written_registers(i));
    return !in_memory_ || !reads_memory_otherwise(i);
  }

  static bool reads_memory_otherwise(const Instruction& i) {
    static const std::set<std::string_view> kOpcodes = {"atom", "tex", "tld4", "suld"};
    return kOpcodes.contains(i.opcode);
  }

  const ptx::Function& function_;
  std::vector<bool> holds_;  // by register
  bool in_memory_ = false;   // of whatever kind
  bool changed_ = true;
};

}  // namespace

bool needs_products(const emulator::Program& program) {
  const std::vector<emulator::Program::BasicBlock> blocks = program.basic_blocks();
  const bool calls = std::any_of(blocks.begin(), blocks.end(), [&](const auto& block) {
    return block.function != blocks.front().function;
  });
  return calls || Sums(program.function()).are_noticed();
}

}  // namespace warpshop::timing
