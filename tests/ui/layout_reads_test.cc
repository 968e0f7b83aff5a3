#include "maps/layout_reads.h"

#include <gtest/gtest.h>

#include <bit>

#include "models/banks.h"

namespace warpshop::ui {
namespace {

models::Layout layout(std::string_view text) { return models::parse_layout(text).value(); }

int wavefronts(std::string_view text, const LayoutReading& reading) {
  const LayoutRequest read = layout_request(layout(text), reading);
  EXPECT_FALSE(read.torn) << text;
  EXPECT_EQ(read.request.active_mask, ~uint32_t{0}) << text;
  return models::count_wavefronts(read.request).wavefronts;
}

// A column of 32 words: in one bank, in 32 banks by a word of padding, or by a swizzle.
TEST(LayoutReadsTest, ColumnsOfWords) {
  const LayoutReading down = {.down = true};
  EXPECT_EQ(wavefronts("(32,32):(32,1)", down), 32);
  EXPECT_EQ(wavefronts("(32,32):(33,1)", down), 1);
  EXPECT_EQ(wavefronts("Sw<5,0,5> o (32,32):(32,1)", down), 1);
  EXPECT_EQ(wavefronts("(32,32):(32,1)", {}), 1);
}

// ldmatrix reads eight rows of 16 bytes at a time: rows 128 bytes apart lie in the same four banks
// unless the address bits 4 to 6 are exchanged with bits 7 to 9.
TEST(LayoutReadsTest, RowsOfAMatrixOfHalves) {
  const LayoutReading rows = {.element_bytes = 2, .per_lane = 8, .down = true};
  EXPECT_EQ(wavefronts("(32,64):(64,1)", rows), 32);
  EXPECT_EQ(wavefronts("Sw<3,3,3> o (32,64):(64,1)", rows), 4);
}

TEST(LayoutReadsTest, LanesAndElementsFindEachOther) {
  for (const char* text : {"(48,24):(25,1)", "(3,40)", "100:2"}) {
    for (const bool down : {false, true}) {
      const models::Layout of = layout(text);
      LayoutReading reading = {.per_lane = 2, .down = down};
      uint64_t lanes = 0;
      for (; reading.request < layout_requests(of, reading); ++reading.request) {
        const LayoutRequest read = layout_request(of, reading);
        for (int lane = 0; lane < std::popcount(read.request.active_mask); ++lane, ++lanes) {
          const auto found = reader_of(of, reading, read.first[static_cast<size_t>(lane)]);
          ASSERT_TRUE(found);
          EXPECT_EQ(found->request, reading.request);
          EXPECT_EQ(found->lane, lane);
        }
      }
      EXPECT_EQ(lanes, of.rows() * (of.columns() / 2)) << text;
    }
  }
}

TEST(LayoutReadsTest, ElementsThatOneInstructionCannotRead) {
  const LayoutReading four = {.per_lane = 4, .down = true};
  EXPECT_EQ(layout_request(layout("(32,32):(1,32)"), four).torn, 0);  // 32 elements apart
  EXPECT_EQ(layout_request(layout("(32,32):(33,1)"), four).torn, 1);  // row 1 begins at byte 132
  EXPECT_FALSE(layout_request(layout("(32,32):(36,1)"), four).torn);
  EXPECT_EQ(layout_requests(layout("(32,2)"), four), 0u);
  EXPECT_FALSE(reader_of(layout("(32,6):(8,1)"), four, {0, 5}));
}

}  // namespace
}  // namespace warpshop::ui
