// The bytes that a block's pending copies and products touch. Until its thread waits, a copy may
// write its destination and read its source at any time. PTX ISA §9.7.9.25: "there is no ordering
// guarantee between a cp.async operation and any other operation".
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpshop::emulator {

class PendingCopies {
 public:
  explicit PendingCopies(uint32_t shared_bytes) : words_(shared_bytes / kWordBytes + 1, 0) {}

  bool any() const { return pending_ != 0; }
  void clear() {
    if (pending_ != 0) {
      std::fill(words_.begin(), words_.end(), 0);
      std::fill(reads_.begin(), reads_.end(), 0);
    }
    forget();
  }

  // One lane's destination: 4, 8 or 16 bytes, aligned and within shared memory.
  void add(uint64_t to, uint32_t bytes) {
    ++pending_;
    for (uint64_t word = to / kWordBytes; word < (to + bytes) / kWordBytes; ++word) ++words_[word];
  }
  void remove(uint64_t to, uint32_t bytes) {
    for (uint64_t word = to / kWordBytes; word < (to + bytes) / kWordBytes; ++word) --words_[word];
    if (--pending_ == 0) forget();
  }
  // The source of a copy from shared memory, or a part of a product's factor.
  void add_shared_source(uint64_t from, uint32_t bytes) {
    if (reads_.empty()) reads_.resize(words_.size(), 0);
    ++pending_;
    for (uint64_t w = from / kWordBytes; w < (from + bytes + 3) / kWordBytes; ++w) ++reads_[w];
  }
  void remove_shared_source(uint64_t from, uint32_t bytes) {
    for (uint64_t w = from / kWordBytes; w < (from + bytes + 3) / kWordBytes; ++w) --reads_[w];
    if (--pending_ == 0) forget();
  }
  // True if a copy or product may read any of these bytes of shared memory.
  bool reads(uint64_t address, uint32_t bytes) const {
    if (reads_.empty()) return false;
    uint32_t found = 0;
    for (uint64_t w = address / kWordBytes; w <= (address + bytes - 1) / kWordBytes; ++w)
      found |= reads_[w];
    return found != 0;
  }
  // Its source in global memory.
  void add_source(uint64_t from, uint32_t bytes) {
    lowest_ = std::min(lowest_, from);
    highest_ = std::max(highest_, from + bytes);
  }

  // True if a copy writes any of these bytes of shared memory, which must be in range.
  bool writes(uint64_t address, uint32_t bytes) const {
    uint32_t found = 0;
    for (uint64_t word = address / kWordBytes; word <= (address + bytes - 1) / kWordBytes; ++word)
      found |= words_[word];
    return found != 0;
  }
  // True if a copy may read any of these bytes of global memory.
  bool may_read(uint64_t address, uint32_t bytes) const {
    return address < highest_ && address + bytes > lowest_;
  }

 private:
  static constexpr uint64_t kWordBytes = 4;  // copies write whole words
  void forget() {
    pending_ = 0;
    lowest_ = ~uint64_t{0};
    highest_ = 0;
  }

  std::vector<uint32_t> reads_;  // number of copies and products that read each word
  std::vector<uint32_t> words_;  // number of copies that write each word
  uint64_t pending_ = 0;
  uint64_t lowest_ = ~uint64_t{0};  // of all sources
  uint64_t highest_ = 0;
};

}  // namespace warpshop::emulator
