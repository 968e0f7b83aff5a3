// The 32 granules of each line of memory that has been touched, in a hash table by the line's
// number.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace warpshop::emulator {

template <typename Granule>
class LineTable {
 public:
  static constexpr uint32_t kLine = 32;  // granules

  uint32_t lines() const { return lines_; }
  void clear() { *this = {}; }

  // The granules of a line, fresh ones if it was not touched before. Valid until the next call.
  Granule* of(uint64_t line) {
    if (line == last_line_) return last_;
    if (slots_.size() < size_t{2} * (lines_ + 1)) grow();
    size_t at = place_of(line + 1);
    while (slots_[at].line != 0 && slots_[at].line != line + 1) at = (at + 1) & (slots_.size() - 1);
    if (slots_[at].line == 0) {
      slots_[at] = {.line = line + 1, .first = lines_++ * kLine};
      granules_.resize(size_t{lines_} * kLine);
    }
    last_line_ = line;
    last_ = granules_.data() + slots_[at].first;
    return last_;
  }
  Granule& at(uint64_t granule) { return of(granule / kLine)[granule % kLine]; }

 private:
  static constexpr size_t kFirstSlots = 1024;
  struct Slot {
    uint64_t line = 0;   // plus 1; 0: free
    uint32_t first = 0;  // of its granules
  };
  size_t place_of(uint64_t line) const {
    return static_cast<size_t>((line * 0x9e3779b97f4a7c15u) >> 32) & (slots_.size() - 1);
  }
  void grow() {
    const std::vector<Slot> before = std::move(slots_);
    slots_.assign(std::max(kFirstSlots, before.size() * 2), {});
    for (const Slot& slot : before) {
      if (slot.line == 0) continue;
      size_t at = place_of(slot.line);
      while (slots_[at].line != 0) at = (at + 1) & (slots_.size() - 1);
      slots_[at] = slot;
    }
  }

  std::vector<Slot> slots_;
  std::vector<Granule> granules_;
  uint32_t lines_ = 0;
  uint64_t last_line_ = ~uint64_t{0};
  Granule* last_ = nullptr;
};

}  // namespace warpshop::emulator
