// A texture cache: set-associative, with least-recently-used replacement.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpshop::timing {

// The known parameters. No bytes: there is no cache, and every fetch hits.
struct TextureCacheSize {
  uint64_t bytes = 0;
  uint32_t ways = 1;
  uint32_t line_bytes = 32;
};

class TextureCache {
 public:
  explicit TextureCache(const TextureCacheSize& size)
      : line_bytes_(size.line_bytes),
        ways_(size.ways),
        sets_(std::max<uint64_t>(1, size.bytes / size.line_bytes / size.ways)),
        lines_(sets_ * ways_) {}

  // When the address's line is or will be available; nullptr: a miss.
  const double* find(uint64_t address) {
    const uint64_t tag = address / line_bytes_;
    Line* const set = set_of(tag);
    for (size_t w = 0; w < ways_; ++w) {
      if (set[w].tag != tag) continue;
      set[w].used = ++clock_;
      return &set[w].ready;
    }
    return nullptr;
  }
  // Inserts a line after find() has missed.
  void bring(uint64_t address, double ready) {
    const uint64_t tag = address / line_bytes_;
    Line* const set = set_of(tag);
    Line* const oldest = std::min_element(
        set, set + ways_, [](const Line& a, const Line& b) { return a.used < b.used; });
    *oldest = {.tag = tag, .ready = ready, .used = ++clock_};
  }

 private:
  struct Line {
    uint64_t tag = ~uint64_t{0};
    double ready = 0;
    uint64_t used = 0;
  };
  Line* set_of(uint64_t tag) { return &lines_[tag % sets_ * ways_]; }

  uint64_t line_bytes_;
  size_t ways_;
  uint64_t sets_;
  std::vector<Line> lines_;
  uint64_t clock_ = 0;
};

}  // namespace warpshop::timing
