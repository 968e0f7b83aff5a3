// The known low bits of each register, for every thread: what a compiler may assume about
// alignment.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"
#include "state/decoded.h"

namespace warpshop::emulator {

// The low `count` bits equal those of `value`. count 64: a constant.
struct KnownBits {
  int count = 0;
  uint64_t value = 0;
  static KnownBits constant(uint64_t value) { return {64, value}; }
  uint64_t low(int bits) const { return bits >= 64 ? value : value & ((uint64_t{1} << bits) - 1); }
  int trailing_zeros() const;
};

// Known low bits of every register of a function: the meet over all its definitions, as a compiler
// sees a loop variable.
std::vector<KnownBits> known_bits(const ptx::Function& function,
                                  const std::vector<uint64_t>& variable_offset,
                                  const std::vector<uint64_t>& module_offset);

// Known bits of an operand, given those of the registers.
KnownBits known_bits_of(const ptx::Operand& operand, const std::vector<KnownBits>& registers,
                        const std::vector<uint64_t>& variable_offset,
                        const std::vector<uint64_t>& module_offset);

inline constexpr uint64_t kUnknownOffset = ~uint64_t{0};

}  // namespace warpshop::emulator
