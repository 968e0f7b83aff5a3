#include "backend/known_bits.h"

#include <algorithm>
#include <bit>

#include "analysis/instructions.h"

namespace warpshop::emulator {
namespace {

using ptx::Instruction;
using ptx::Operand;

// No definition of the register seen yet: the neutral element of the meet.
constexpr int kUndefined = -1;

uint64_t low_mask(int bits) { return bits >= 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1; }

KnownBits meet(const KnownBits& a, const KnownBits& b) {
  if (a.count == kUndefined) return b;
  if (b.count == kUndefined) return a;
  const uint64_t differ = a.value ^ b.value;
  const int agree = differ == 0 ? 64 : std::countr_zero(differ);
  const int count = std::min({a.count, b.count, agree});
  return {count, a.value & low_mask(count)};
}

KnownBits add(const KnownBits& a, const KnownBits& b, bool subtract = false) {
  const int count = std::min(a.count, b.count);
  return {count, (subtract ? a.value - b.value : a.value + b.value) & low_mask(count)};
}

KnownBits multiply(const KnownBits& a, const KnownBits& b) {
  if (a.count == 64 && b.count == 64) return KnownBits::constant(a.value * b.value);
  // (2^za·x)·(2^zb·y): trailing zeros add up; higher bits are unknown unless one factor is a
  // constant.
  const int za = a.trailing_zeros();
  const int zb = b.trailing_zeros();
  if (b.count == 64 && b.value != 0) {
    const int count = std::min(64, a.count + zb);
    return {count, (a.value * b.value) & low_mask(count)};
  }
  if (a.count == 64 && a.value != 0) return multiply(b, a);
  return {std::min(64, za + zb), 0};
}

KnownBits shift_left(const KnownBits& a, uint64_t by) {
  if (by >= 64) return KnownBits::constant(0);
  const int count = std::min(64, a.count + static_cast<int>(by));
  return {count, (a.value << by) & low_mask(count)};
}

// Bitwise: a result bit is known if both operands' bits are, or if one operand forces it.
template <typename Operation>
KnownBits bitwise(const KnownBits& a, const KnownBits& b, Operation operation, uint64_t forcing) {
  const auto forced = [&](const KnownBits& x, int bit) {
    return bit < x.count && ((x.value >> bit) & 1u) == forcing;
  };
  int count = 0;
  while (count < 64 &&
         ((count < a.count && count < b.count) || forced(a, count) || forced(b, count)))
    ++count;
  uint64_t value = 0;
  for (int bit = 0; bit < count; ++bit) {
    uint64_t r = operation((a.value >> bit) & 1u, (b.value >> bit) & 1u) & 1u;
    if (forced(a, bit) || forced(b, bit)) r = forcing;
    value |= r << bit;
  }
  return {count, value};
}

// Narrow results wrap, so bits above their width are unknown to a wider reader; but no relevant
// address calculation wraps, and a compiler that knows the low bits knows them in the wide value as
// well.
KnownBits evaluate(const Instruction& i, const std::vector<KnownBits>& in) {
  const std::string& op = i.opcode;
  const auto n = in.size();
  if (op == "mov" || op == "cvta" || op == "cvt") {
    if (n != 1) return {};
    // A narrowing conversion keeps its low bits.
    return in[0];
  }
  if (op == "add" && n == 2) return add(in[0], in[1]);
  if (op == "sub" && n == 2) return add(in[0], in[1], true);
  if ((op == "mul" || op == "mul24") && n == 2 && !has_modifier(i, "hi"))
    return multiply(in[0], in[1]);
  if ((op == "mad" || op == "mad24") && n == 3 && !has_modifier(i, "hi"))
    return add(multiply(in[0], in[1]), in[2]);
  if (op == "shl" && n == 2 && in[1].count == 64) return shift_left(in[0], in[1].value);
  if (op == "and" && n == 2)
    return bitwise(
        in[0], in[1], [](uint64_t x, uint64_t y) { return x & y; }, 0);
  if (op == "or" && n == 2)
    return bitwise(
        in[0], in[1], [](uint64_t x, uint64_t y) { return x | y; }, 1);
  if (op == "xor" && n == 2)
    return bitwise(
        in[0], in[1], [](uint64_t x, uint64_t y) { return x ^ y; }, 2);
  if (op == "selp" && n == 3) return meet(in[0], in[1]);
  if ((op == "min" || op == "max") && n == 2) return meet(in[0], in[1]);
  if (op == "rem" && n == 2 && in[1].count == 64 && std::has_single_bit(in[1].value)) {
    return {std::min(in[0].count, std::countr_zero(in[1].value)), in[0].value & (in[1].value - 1)};
  }
  return {};
}

}  // namespace

int KnownBits::trailing_zeros() const {
  if (count <= 0) return 0;
  const uint64_t known = low(count);
  return known == 0 ? count : std::min(count, std::countr_zero(known));
}

KnownBits known_bits_of(const Operand& o, const std::vector<KnownBits>& registers,
                        const std::vector<uint64_t>& variable_offset,
                        const std::vector<uint64_t>& module_offset) {
  switch (o.kind) {
    case Operand::Kind::kRegister:
      return registers[static_cast<size_t>(o.register_index)];
    case Operand::Kind::kInteger:
      return KnownBits::constant(o.bits);
    case Operand::Kind::kSymbol: {
      uint64_t offset = kUnknownOffset;
      const auto n = static_cast<size_t>(o.symbol.index);
      if (o.symbol.table == ptx::Symbol::Table::kLocalVariable) offset = variable_offset[n];
      if (o.symbol.table == ptx::Symbol::Table::kModuleVariable) offset = module_offset[n];
      if (offset == kUnknownOffset) return {};
      return KnownBits::constant(offset + static_cast<uint64_t>(o.offset));
    }
    default:
      return {};
  }
}

std::vector<KnownBits> known_bits(const ptx::Function& function,
                                  const std::vector<uint64_t>& variable_offset,
                                  const std::vector<uint64_t>& module_offset) {
  std::vector<KnownBits> result(function.registers.size(), {kUndefined, 0});
  // Each pass can only forget bits, so a few passes reach the fixed point.
  bool changed = true;
  for (int pass = 0; changed && pass < 200; ++pass) {
    changed = false;
    std::vector<KnownBits> next(function.registers.size(), {kUndefined, 0});
    for (const Instruction& i : function.body) {
      if (i.operands.empty() || i.opcode == "st" || i.opcode == "red" || i.opcode == "bra")
        continue;
      auto define = [&](const Operand& dest, const KnownBits& bits) {
        if (dest.kind != Operand::Kind::kRegister) return;
        KnownBits& slot = next[static_cast<size_t>(dest.register_index)];
        slot = meet(slot, bits);
      };
      const Operand& dest = i.operands[0];
      if (dest.kind == Operand::Kind::kVector || dest.kind == Operand::Kind::kPair ||
          dest.kind == Operand::Kind::kList) {
        for (const Operand& e : dest.elements) define(e, {});
        continue;
      }
      std::vector<KnownBits> in;
      bool waits = false;
      for (size_t n = 1; n < i.operands.size(); ++n) {
        in.push_back(known_bits_of(i.operands[n], result, variable_offset, module_offset));
        waits = waits || in.back().count == kUndefined;
      }
      // An operand without a definition so far: the first pass over a loop leaves it to the next.
      if (!waits) define(dest, evaluate(i, in));
    }
    for (size_t r = 0; r < next.size(); ++r) {
      if (next[r].count != result[r].count || next[r].value != result[r].value) changed = true;
    }
    result = std::move(next);
  }
  for (KnownBits& k : result) {
    if (k.count == kUndefined) k = {};
  }
  return result;
}

}  // namespace warpshop::emulator
