// cp.async as an H200 counts it: sectors, requests and wavefronts of tests/hardware/asynchronous,
// worked out by hand from the lanes' addresses.
#include "models/async_copy.h"

#include <gtest/gtest.h>

#include <functional>

namespace warpshop::models {
namespace {

struct CopyCase {
  const char* name;
  uint32_t width;
  bool bypasses_l1;
  std::function<uint64_t(uint64_t)> to, from;  // by lane
  int sectors, theoretical_sectors, wavefronts;
  uint32_t lanes = 0xFFFFFFFFU;  // that read
  bool some_bytes = false;
};

AsyncCopyCounts count(const CopyCase& c) {
  WarpRequest from{.active_mask = c.lanes, .width_bytes = c.width, .address = {}};
  WarpRequest to{.active_mask = 0xFFFFFFFFU, .width_bytes = c.width, .address = {}};
  for (uint64_t lane = 0; lane < kLanes; ++lane) {
    from.address[lane] = 0x4000 + c.from(lane);
    to.address[lane] = 0x400 + c.to(lane);
  }
  return count_async_copy(from, to, c.bypasses_l1, c.some_bytes);
}

std::function<uint64_t(uint64_t)> every(uint64_t stride, uint64_t first = 0) {
  return [=](uint64_t lane) { return first + lane * stride; };
}

TEST(AsyncCopy, CountsLikeAnH200) {
  const CopyCase cases[] = {
      {"dense", 16, true, every(16), every(16), 16, 16, 4},
      {"each row from another line", 16, true, every(16),
       [](uint64_t t) { return t / 8 * 512 + t % 8 * 16; }, 16, 16, 4},
      {"rows of 64 bytes from two lines", 16, true, every(16),
       [](uint64_t t) { return t / 4 * 256 + t % 4 * 16; }, 16, 16, 8},
      {"backwards", 16, true, [](uint64_t t) { return 496 - t * 16; }, every(16), 16, 16, 4},
      {"half a piece on", 16, true, every(16, 16), every(16), 20, 32, 12},
      {"a piece on", 16, true, every(16, 32), every(16), 16, 16, 8},
      {"rows of 80 bytes", 16, true, [](uint64_t t) { return t / 4 * 80 + t % 4 * 16; }, every(16),
       20, 24, 15},
      {"one lane a row", 16, true, every(80), every(16), 32, 32, 32},
      {"half sectors", 16, true, every(16), every(64), 16, 32, 32},
      {"half sectors of a line each", 16, true, every(16), every(128), 32, 32, 32},
      {"half sectors to half pieces", 16, true, every(64), every(64), 32, 32, 16},
      {"the same", 16, true, every(16), every(0), 16, 32, 32},
      {"zeros behind", 16, true, every(16), every(16), 16, 16, 8, 0xFFFFFFFFU, true},
      {"zeros in half of the lanes", 16, true, every(16), every(16), 8, 8, 4, 0xFFFFU},
      {"words", 4, false, every(4), every(4), 4, 4, 1},
      {"words across a line", 4, false, every(4), every(4, 4), 5, 5, 1},
      {"every second word", 4, false, every(4), every(8), 8, 8, 2},
      {"a word a line", 4, false, every(4), every(128), 32, 32, 32},
      {"to a column", 4, false, every(128), every(4), 4, 4, 32},
      {"pairs to a column", 8, false, every(64), every(8), 8, 8, 16},
      {"16 bytes through L1 to rows of 80", 16, false, every(80), every(16), 16, 16, 4},
      {"16 bytes through L1 from 64", 16, false, every(16), every(64), 32, 32, 16},
  };
  for (const CopyCase& c : cases) {
    const AsyncCopyCounts counts = count(c);
    EXPECT_EQ(counts.sectors, c.sectors) << c.name;
    EXPECT_EQ(counts.theoretical_sectors, c.theoretical_sectors) << c.name;
    EXPECT_EQ(counts.banks.wavefronts, c.wavefronts) << c.name;
  }
}

TEST(AsyncCopy, TheIdealIsWhatTheBytesNeed) {
  const CopyCase spread{"", 16, true, every(80), every(16), 0, 0, 0};
  EXPECT_EQ(count(spread).ideal_sectors, 16);
  EXPECT_EQ(count(spread).banks.ideal_wavefronts, 4);
  EXPECT_EQ(count(spread).bytes_used, 512U);
  const CopyCase zeros{"", 16, true, every(16), every(16), 0, 0, 0, 0xFFFFFFFFU, true};
  EXPECT_EQ(count(zeros).banks.ideal_wavefronts, 8);
}

TEST(AsyncCopy, LanesThatOnlyWriteZerosRequestNothing) {
  const AsyncCopyCounts counts = count({"", 16, true, every(16), every(16), 0, 0, 0, 0});
  EXPECT_EQ(counts.sectors, 0);
  EXPECT_EQ(counts.theoretical_sectors, 0);
  EXPECT_EQ(counts.banks.wavefronts, 4);
}

}  // namespace
}  // namespace warpshop::models
