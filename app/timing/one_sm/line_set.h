// The lines that one access touches.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "one_sm/trace.h"

namespace warpshop::timing {

// Collects the lines of one access and appends them to the trace.
class LineSet {
 public:
  explicit LineSet(std::vector<LineAccess>& lines) : lines_(lines), base_(lines.size()) {}
  size_t size() const { return count_; }
  // `width` bytes from byte `from` of the sector on; what lies beyond its end is dropped.
  void add(uint64_t line, uint32_t sector, uint32_t width, uint32_t from) {
    size_t at = count_;
    while (at > 0 && lines_[base_ + at - 1].line != line) --at;
    if (at == 0) {
      if (count_ == kMost) return;
      lines_.push_back({.line = line});
      at = ++count_;
    }
    lines_[base_ + at - 1].sectors |= static_cast<uint8_t>(1U << sector);
    uint8_t& covered = bytes_[(at - 1) * 4 + sector];
    covered = static_cast<uint8_t>(std::min<uint32_t>(32, covered + width));
    if (width == 0) return;
    const uint32_t words = (from + width - 1) / 4 - from / 4 + 1;
    lines_[base_ + at - 1].words[sector] |= static_cast<uint8_t>(((1U << words) - 1) << from / 4);
  }
  // Call after the last address: finds the sectors that are fully covered, and makes the lines'
  // numbers relative to `from`.
  void close(uint64_t from = 0) {
    for (size_t l = 0; l < count_; ++l) {
      LineAccess& access = lines_[base_ + l];
      access.line -= from;
      for (size_t s = 0; s < 4; ++s) {
        access.bytes[s] = bytes_[l * 4 + s];
        if (bytes_[l * 4 + s] >= 32) access.whole |= static_cast<uint8_t>(1U << s);
      }
    }
  }

 private:
  static constexpr size_t kMost = 128;  // four words per lane
  std::vector<LineAccess>& lines_;
  size_t base_;
  size_t count_ = 0;
  std::array<uint8_t, kMost * 4> bytes_{};
};

}  // namespace warpshop::timing
