// Makes decisions from bytes, so that a fuzzer that changes a byte changes a decision.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "fuzz_targets.h"

namespace warpshop::fuzz {

class Choices {
 public:
  explicit Choices(Bytes bytes) : bytes_(bytes) {}

  bool used_up() const { return at_ >= bytes_.size(); }
  // 0 once the bytes are used up, so the first choice in a list should be the plainest.
  uint32_t byte() { return used_up() ? 0u : bytes_[at_++]; }
  uint32_t below(uint32_t n) {
    uint32_t value = byte();
    if (n > 256) value |= byte() << 8;
    return value % n;
  }
  bool one_in(uint32_t n) { return below(n) == n - 1; }
  std::string_view of(std::initializer_list<std::string_view> list) {
    return list.begin()[below(static_cast<uint32_t>(list.size()))];
  }
  uint64_t number();
  std::string immediate() { return std::to_string(static_cast<int64_t>(number())); }

 private:
  Bytes bytes_;
  size_t at_ = 0;
};

// Usually a boundary value.
inline uint64_t Choices::number() {
  static constexpr uint64_t kEdges[] = {
      0,      1,          2,          3,          4,           7,          8,      15,      16,
      31,     32,         33,         63,         64,          127,        128,    255,     256,
      1023,   1024,       4095,       4096,       0x7fff,      0x8000,     0xffff, 0x10000, 0x3c00,
      0x7c00, 0x3f800000, 0x7f800000, 0x7fffffff, 0x80000000u, 0xffffffffu};
  constexpr uint32_t kCount = sizeof kEdges / sizeof kEdges[0];
  const uint32_t pick = below(kCount + 4);
  if (pick < kCount) return kEdges[pick];
  if (pick == kCount) return ~uint64_t{0};
  if (pick == kCount + 1) return uint64_t{1} << below(64);
  uint64_t value = 0;
  for (int n = 0; n < (pick == kCount + 2 ? 2 : 8); ++n) value = value << 8 | byte();
  return value;
}

}  // namespace warpshop::fuzz
