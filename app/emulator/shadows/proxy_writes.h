// Shared memory that ordinary stores have written and copies in bulk may not see yet: between the
// two belongs a fence.proxy.async, by the thread that wrote, or by one that has met it at a barrier
// since. PTX ISA §8.6 "Proxies".
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace warpshop::emulator {

class ProxyWrites {
 public:
  void configure(uint32_t shared_bytes) { words_.assign(shared_bytes / 4 + 1, {}); }
  bool watches() const { return !words_.empty(); }
  void start_block() {
    for (Word& word : words_) word = {};
    fenced_ = {};
    now_ = 1;
    last_interval_ = -1;
  }
  // `interval`: barriers that the block has passed.
  void write(uint64_t address, int bytes, uint32_t warp, uint32_t interval, uint32_t site) {
    for (uint64_t w = address / 4; w <= (address + static_cast<uint64_t>(bytes) - 1) / 4; ++w)
      words_[w] = {now_, interval, site, static_cast<uint8_t>(warp)};
    ++now_;
  }
  void fence(uint32_t warp, uint32_t interval) {
    fenced_[warp] = now_++;
    last_interval_ = interval;
  }
  // True if a word of the range needs a fence; `site`: of the store.
  bool needs_fence(uint64_t address, uint64_t bytes, uint32_t& site) const {
    for (uint64_t w = address / 4; w * 4 < address + bytes && w < words_.size(); ++w) {
      const Word& word = words_[w];
      if (word.time == 0 || fenced_[word.warp] > word.time ||
          last_interval_ > static_cast<int64_t>(word.interval))
        continue;
      site = word.site;
      return true;
    }
    return false;
  }

 private:
  struct Word {
    uint32_t time = 0;  // 0: not written
    uint32_t interval = 0;
    uint32_t site = 0;
    uint8_t warp = 0;
  };
  std::vector<Word> words_;
  std::array<uint32_t, 32> fenced_{};  // time of each warp's last fence
  uint32_t now_ = 1;
  int64_t last_interval_ = -1;  // of the last fence
};

}  // namespace warpshop::emulator
