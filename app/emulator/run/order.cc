#include "run/order.h"

#include <bit>

namespace warpshop::emulator {

uint64_t mixed(uint64_t value) {
  value += 0x9e3779b97f4a7c15;
  value = (value ^ (value >> 30)) * 0xbf58476d1ce4e5b9;
  value = (value ^ (value >> 27)) * 0x94d049bb133111eb;
  return value ^ (value >> 31);
}

Order::Order(uint64_t count, uint64_t seed) : count_(count), seed_(seed) {
  half_bits_ = count < 2 ? 1 : (std::bit_width(count - 1) + 1) / 2;
}

// A Feistel network permutes the numbers of 2*half_bits_ bits, at most four times as many as
// needed; results outside the range are permuted again, which remains a permutation ("cycle
// walking": Black and Rogaway, "Ciphers with Arbitrary Finite Domains", 2002).
uint64_t Order::at(uint64_t position) const {
  if (seed_ == 0 || count_ < 2) return position;
  const uint64_t low = (uint64_t{1} << half_bits_) - 1;
  do {
    uint64_t left = position >> half_bits_;
    uint64_t right = position & low;
    for (uint64_t round = 0; round < 4; ++round) {
      const uint64_t next = left ^ (mixed(right ^ mixed(seed_ + round)) & low);
      left = right;
      right = next;
    }
    position = left << half_bits_ | right;
  } while (position >= count_);
  return position;
}

}  // namespace warpshop::emulator
