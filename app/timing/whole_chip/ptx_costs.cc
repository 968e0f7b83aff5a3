#include "whole_chip/ptx_costs.h"

#include <algorithm>
#include <bit>
#include <string>
#include <string_view>
#include <vector>

#include "timing/generations.h"

namespace warpshop::timing {
namespace {

using ptx::Instruction;

bool is_wide_type(const Instruction& i) {
  return has_modifier(i, "s64") || has_modifier(i, "u64") || has_modifier(i, "b64");
}
bool is_double(const Instruction& i) { return has_modifier(i, "f64"); }
bool is_float(const Instruction& i) {
  return has_modifier(i, "f32") || has_modifier(i, "f16") || has_modifier(i, "f16x2");
}

const ptx::Operand* constant_source(const Instruction& i) {
  for (size_t n = 1; n < i.operands.size() && n < 3; ++n) {
    if (i.operands[n].kind == ptx::Operand::Kind::kInteger) return &i.operands[n];
  }
  return nullptr;
}

int bits_of(const ptx::Operand& o, const std::vector<int>& bits) {
  if (o.kind == ptx::Operand::Kind::kInteger)
    return static_cast<int>(std::bit_width(static_cast<uint32_t>(o.bits)));
  if (o.kind == ptx::Operand::Kind::kSpecial) {
    // On these chips blocks have at most 512 threads and grids 65535 blocks per dimension.
    return o.text.starts_with("%tid") || o.text.starts_with("%ntid") ? 10
           : o.text.find("ctaid") != std::string::npos               ? 16
                                                                     : 32;
  }
  return o.register_index >= 0 ? bits[static_cast<size_t>(o.register_index)] : 32;
}

// 1.x multiplies 24 bits at a time. A 32-bit product is assembled from partial products;
// multiplying by a constant with few bits set uses shifts and additions. (CUDA C Programming Guide
// 4.2, 5.4.1: 32-bit multiplication is several instructions. Disassemblers of the time show which:
// two cross products, a shift and the low product, or one cross product fewer if a factor has 16
// bits.)
int old_multiplication(const Instruction& i, const std::vector<int>& bits) {
  if (const ptx::Operand* constant = constant_source(i)) {
    const int ones = std::popcount(static_cast<uint32_t>(constant->bits));
    if (ones == 0) return 1;
    if (ones <= 2) return 2 * ones - 1;
  }
  if (i.operands.size() < 3) return 4;
  const int a = bits_of(i.operands[1], bits);
  const int b = bits_of(i.operands[2], bits);
  if (a <= 24 && b <= 24) return 1;
  return a <= 16 || b <= 16 ? 3 : 4;
}

PtxCost multiplication(const Instruction& i, bool first_generation, bool shared_address,
                       const std::vector<int>& bits) {
  const bool adds = i.opcode == "mad";
  if (first_generation) {
    if (has_modifier(i, "hi")) return {Unit::kMul, 10 + (adds ? 1 : 0)};
    const int product = old_multiplication(i, bits);
    // a product that fits can also add
    return {Unit::kMul, product == 1 ? 1 : product + (adds ? 1 : 0)};
  }
  if (has_modifier(i, "wide")) {
    const ptx::Operand* constant = constant_source(i);
    if (shared_address && constant != nullptr && std::has_single_bit(constant->bits))
      return {Unit::kShift, 1};
    return {Unit::kMul, shared_address ? 1 : 2};
  }
  return {Unit::kMul, is_wide_type(i) ? 4 : 1};
}

// 1.x has condition codes but no logic on them. nvcc compiled a && b to numbers: each comparison
// gives 0 or -1, a negation turns that into 1, then logic on these and a comparison with 0.
constexpr int kPredicateLogic = 4;

bool is_special_register_copy(const Instruction& i) {
  return i.operands.size() == 2 && i.operands[1].kind == ptx::Operand::Kind::kSpecial;
}

}  // namespace

bool is_predicate_logic(const Instruction& i) {
  if (i.opcode == "setp")
    return has_modifier(i, "and") || has_modifier(i, "or") || has_modifier(i, "xor");
  return has_modifier(i, "pred") && (i.opcode == "and" || i.opcode == "or" || i.opcode == "xor");
}

std::vector<int> value_bits(const ptx::Function& function) {
  std::vector<int> bits(function.registers.size(), 32);
  for (const Instruction& i : function.body) {
    if (i.operands.empty()) continue;
    if (i.operands[0].kind == ptx::Operand::Kind::kRegister)
      bits[static_cast<size_t>(i.operands[0].register_index)] = 0;
    for (const ptx::Operand& e : i.operands[0].elements) {
      if (e.register_index >= 0) bits[static_cast<size_t>(e.register_index)] = 0;
    }
  }
  const auto of = [&](const Instruction& i, size_t n) {
    return n < i.operands.size() ? bits_of(i.operands[n], bits) : 32;
  };
  const auto result = [&](const Instruction& i) -> int {
    const std::string_view op = i.opcode;
    const ptx::Operand* constant = constant_source(i);
    if (op == "ld" || op == "ldu")
      return has_modifier(i, "u8") || has_modifier(i, "s8")     ? 8
             : has_modifier(i, "u16") || has_modifier(i, "s16") ? 16
                                                                : 32;
    if (op == "mov") return of(i, 1);
    if (op == "cvt") {
      const int width = has_modifier(i, "u8") || has_modifier(i, "s8")     ? 8
                        : has_modifier(i, "u16") || has_modifier(i, "s16") ? 16
                                                                           : 32;
      return is_float(i) || is_double(i) ? 32 : std::min(width, of(i, 1));
    }
    if (op == "and" || op == "min") return std::min(of(i, 1), of(i, 2));
    if (op == "or" || op == "xor" || op == "max" || op == "selp")
      return std::max(of(i, 1), of(i, 2));
    if (op == "add")
      return constant != nullptr && static_cast<int64_t>(constant->bits) < 0
                 ? 32
                 : std::max(of(i, 1), of(i, 2)) + 1;
    if (op == "shl" && constant != nullptr) return of(i, 1) + static_cast<int>(constant->bits & 63);
    // After a left shift this is a sign extension.
    if (op == "shr" && constant != nullptr)
      return std::min(32, of(i, 1)) - static_cast<int>(constant->bits & 31);
    if (op == "mul" && !has_modifier(i, "hi")) return of(i, 1) + of(i, 2);
    if (op == "mad" && !has_modifier(i, "hi")) return std::max(of(i, 1) + of(i, 2), of(i, 3)) + 1;
    return 32;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (const Instruction& i : function.body) {
      if (i.operands.empty()) continue;
      const auto widen = [&](const ptx::Operand& o, int width) {
        if (o.register_index < 0) return;
        int& known = bits[static_cast<size_t>(o.register_index)];
        if (width <= known) return;
        known = width;
        changed = true;
      };
      if (i.operands[0].kind == ptx::Operand::Kind::kRegister) {
        widen(i.operands[0], std::clamp(result(i), 1, 32));
      } else {
        for (const ptx::Operand& e : i.operands[0].elements) widen(e, std::clamp(result(i), 1, 32));
      }
    }
  }
  return bits;
}

PtxCost cost_of(const Instruction& i, models::ComputeCapability capability, bool shared_address,
                const std::vector<int>& bits) {
  const bool first = is_first_generation(capability);
  const bool wide = !first && !shared_address && is_wide_type(i);  // two 32-bit instructions
  const std::string_view op = i.opcode;
  if (op == "mov") {
    if (!is_special_register_copy(i)) return {Unit::kNone, 0};
    // 1.x keeps grid constants in shared memory, usable as operands, and threadIdx packed in a
    // register.
    const bool is_tid = i.operands[1].text.starts_with("%tid");
    const bool is_size =
        i.operands[1].text.starts_with("%ntid") || i.operands[1].text.starts_with("%nctaid");
    return {Unit::kInt, is_size || (first && !is_tid) ? 0 : 1};
  }
  if (op == "cvta") return {Unit::kNone, 0};
  if (op == "ld" && (has_modifier(i, "param") || has_modifier(i, "const"))) return {Unit::kNone, 0};
  if (op == "ld" || op == "st" || op == "ldu" || op == "atom" || op == "red")
    return {Unit::kMemory, 1};
  if (op == "tex" || op == "tld4" || op == "suld" || op == "sust") return {Unit::kTexture, 1};
  if (op == "bra" || op == "brx" || op == "ret" || op == "exit" || op == "bar" || op == "barrier" ||
      op == "membar" || op == "fence" || op == "trap" || op == "brkpt" || op == "pmevent") {
    return {Unit::kNone, 1};
  }
  if (op == "call") return {Unit::kNone, 2};
  if (op == "mul24" || op == "mad24") return {Unit::kMul, first ? 1 : op == "mad24" ? 3 : 2};
  if (is_double(i)) {
    if (op == "div" || op == "rcp" || op == "sqrt" || op == "rsqrt")
      return {Unit::kFp64, op == "div" ? 16 : 12};
    if (op == "cvt") return {Unit::kConvert, 2};
    if (op == "selp" || op == "neg" || op == "abs") return {Unit::kInt, 2};
    return {Unit::kFp64, 1};
  }
  if (is_float(i) && op != "cvt") {
    if (op == "fma" || op == "mad" || op == "add" || op == "sub" || op == "mul")
      return {Unit::kFp32, 1};
    if (op == "div")
      return has_modifier(i, "rn") ? PtxCost{Unit::kFp32, 12} : PtxCost{Unit::kSpecial, 2};
    if (op == "sqrt" || op == "rcp") return {Unit::kSpecial, has_modifier(i, "rn") ? 4 : 1};
    if (op == "rsqrt" || op == "sin" || op == "cos" || op == "lg2" || op == "ex2" || op == "tanh") {
      return {Unit::kSpecial, 1};
    }
    return {Unit::kInt, 1};  // comparison, selection, sign
  }
  if (op == "cvt") {
    // Between integers, extension is part of the load or arithmetic before it, and narrowing is a
    // mask.
    const bool touches_float = is_float(i) || is_double(i);
    if (touches_float) return {Unit::kConvert, 1};
    return {Unit::kInt, 0};
  }
  if (first && is_predicate_logic(i))
    return {Unit::kInt, op == "setp" ? 1 + kPredicateLogic : kPredicateLogic};
  // conditions can be tested either way
  if (first && op == "not" && has_modifier(i, "pred")) return {Unit::kInt, 0};
  if (op == "mul" || op == "mad") return multiplication(i, first, shared_address, bits);
  if (op == "div" || op == "rem") return {Unit::kInt, is_wide_type(i) ? 80 : 36};
  if (op == "shl" || op == "shr") return {Unit::kShift, wide ? 3 : 1};
  if (op == "shf") return {Unit::kShift, first ? 3 : 1};
  if (op == "bfe" || op == "bfi") return {Unit::kShift, first ? (op == "bfe" ? 2 : 4) : 1};
  if (op == "prmt") return {Unit::kInt, first ? 4 : 1};
  if (op == "lop3") return {Unit::kInt, 2};
  if (op == "popc" || op == "clz" || op == "brev" || op == "bfind")
    return {Unit::kShift, first ? 12 : 1};
  if (op == "dp4a") return {Unit::kMul, first ? 16 : 8};
  if (op == "dp2a") return {Unit::kMul, first ? 8 : 4};
  if (op == "sad" || op == "min" || op == "max" || op == "abs") return {Unit::kInt, 1};
  if (op == "shfl" || op == "vote" || op == "match" || op == "activemask" || op == "redux")
    return {Unit::kInt, 1};
  return {Unit::kInt, wide ? 2 : 1};
}

}  // namespace warpshop::timing
