// The order in which the blocks of a grid and the warps of a block run. CUDA guarantees none: a
// correct kernel's results are the same in all of them (CUDA C++ Programming Guide, "Thread
// Hierarchy": blocks "in any order").
#pragma once

#include <cstdint>

namespace warpshop::emulator {

// SplitMix64 (Steele, Lea, Flood, "Fast Splittable Pseudorandom Number Generators", 2014): one
// step's output.
uint64_t mixed(uint64_t value);

// A permutation of 0 … count-1, computed without a table. Seed 0: ascending.
class Order {
 public:
  Order(uint64_t count, uint64_t seed);
  // The number at `position` < count.
  uint64_t at(uint64_t position) const;

 private:
  uint64_t count_;
  uint64_t seed_;
  int half_bits_ = 1;
};

}  // namespace warpshop::emulator
