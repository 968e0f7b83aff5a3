// Two blocks on two threads that touch the same granules at the same time: whatever the moment, one
// of them finds the other.
#include "shadows/global_shadow.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

namespace warpshop::emulator {
namespace {

constexpr uint64_t kLines = 1000, kLineBytes = 128;
constexpr uint32_t kGranules = 32;

enum class Act { kRead, kWrite, kScatter };

struct Meeting {
  const char* name;
  Act first, second;
};

// One thread: for each line its own act, in ascending or descending granules, word by word.
class Visitor {
 public:
  Visitor(GlobalShadow& shadow, uint64_t block, Act act, bool backwards)
      : shadow_(shadow), block_(block), act_(act), backwards_(backwards) {}

  // By line: bit g if a hazard was found at granule g.
  std::vector<uint32_t> found = std::vector<uint32_t>(kLines);

  void visit(uint64_t line) {
    for (uint32_t n = 0; n < kGranules; ++n) {
      std::array<uint64_t, 32> address{};
      const uint32_t granule = backwards_ ? kGranules - 1 - n : n;
      address[0] = line * kLineBytes + 4 * granule;
      GlobalTouch touch{.block = block_, .address = address.data(), .base = 0, .mask = 1};
      if (act_ == Act::kScatter) {  // one lane meets the other block, the others are far away
        for (uint32_t lane = 1; lane < 32; ++lane)
          address[lane] = (kLines + (block_ * 32 + lane)) * kLineBytes;
        touch.mask = 0xffffffffu;
      }
      hazards_.clear();
      if (act_ == Act::kRead) {
        shadow_.on_read(touch, hazards_);
      } else {
        shadow_.on_write(touch, hazards_);
      }
      for (const BlockHazard& hazard : hazards_) found[line] |= 1u << (hazard.offset / 4 % 32);
    }
  }

 private:
  GlobalShadow& shadow_;
  uint64_t block_;
  Act act_;
  bool backwards_;
  std::vector<BlockHazard> hazards_;
};

class BlocksMeet : public ::testing::TestWithParam<Meeting> {};

TEST_P(BlocksMeet, AndOneOfThemFindsTheOther) {
  const Meeting& meeting = GetParam();
  const bool reads = meeting.first == Act::kRead || meeting.second == Act::kRead;
  GlobalShadow shadow((kLines + 100) * kLineBytes, 4, reads);
  shadow.expect_several_threads();
  Visitor first(shadow, 0, meeting.first, false), second(shadow, 1, meeting.second, true);
  std::atomic<uint64_t> arrived{0};
  const auto go = [&](Visitor& visitor) {
    for (uint64_t line = 0; line < kLines; ++line) {
      ++arrived;  // both begin a line together
      while (arrived < 2 * (line + 1)) std::this_thread::yield();
      visitor.visit(line);
    }
  };
  std::thread other([&] { go(second); });
  go(first);
  other.join();
  for (uint64_t line = 0; line < kLines; ++line)
    ASSERT_EQ(first.found[line] | second.found[line], ~0u) << "line " << line;
}

INSTANTIATE_TEST_SUITE_P(GlobalShadow, BlocksMeet,
                         ::testing::Values(Meeting{"Writes", Act::kWrite, Act::kWrite},
                                           Meeting{"AReadAndAWrite", Act::kRead, Act::kWrite},
                                           Meeting{"ScatteredWrites", Act::kScatter, Act::kScatter},
                                           Meeting{"AWriteAndAScatteredOne", Act::kWrite,
                                                   Act::kScatter}),
                         [](const auto& of) { return std::string(of.param.name); });

}  // namespace
}  // namespace warpshop::emulator
