// Loads whose lanes read neighbouring words in any order: each lane gets its own word, and nothing
// outside the buffer is touched.
#include <algorithm>
#include <functional>
#include <string>

#include "kernel_fixture.h"
#include "memory/address_math.h"

namespace warpshop::emulator::testing {
namespace {

struct Places {
  const char* name;
  std::function<uint32_t(uint32_t lane)> word;  // index of the word, of 64
};

const Places kPlaces[] = {
    {"one word", [](uint32_t) { return 63u; }},
    {"two rows of a tile of 16", [](uint32_t lane) { return 40 + 16 * (lane / 16); }},
    {"a row of 16, twice", [](uint32_t lane) { return 48 + lane % 16; }},
    {"upwards to the last word", [](uint32_t lane) { return 32 + lane; }},
    {"downwards from the last word", [](uint32_t lane) { return 63 - lane; }},
    {"31 words apart", [](uint32_t lane) { return lane == 5 ? 63u : 32u; }},
    {"32 words apart", [](uint32_t lane) { return lane == 5 ? 63u : 31u; }},
    {"63 words apart", [](uint32_t lane) { return lane % 2 == 0 ? 0u : 63u; }},
    {"mixed up", [](uint32_t lane) { return 33 + lane * 11 % 31; }},
    {"the first lane in the middle", [](uint32_t lane) { return 20 + (lane + 9) % 17; }},
};

Words places_of(const Places& p, uint32_t most) {
  Words words;
  for (uint32_t lane = 0; lane < 32; ++lane) words.push_back(std::min(p.word(lane), most));
  return words;
}

uint32_t value_at(uint32_t word) { return word * 2654435761u + 7; }

// %p1: the 64 words; %r1: the lane's word, %l1: its byte offset.
const std::string kWhere =
    "mov.u32 %r31, %tid.x; mul.wide.u32 %l15, %r31, 4; add.s64 %l14, %p2, %l15; ld.global.u32 %r1, "
    "[%l14]; mul.wide.u32 %l1, %r1, 4;";

TEST(NearWords, EachLaneGetsItsOwn) {
  struct Way {
    const char* name;
    std::string load;
    uint32_t words;  // words loaded per lane
  };
  const Way ways[] = {
      {"global", "add.s64 %l2, %p1, %l1; ld.global.u32 %r0, [%l2];", 1},
      {"shared",
       "mov.u64 %l3, s; shl.b32 %r2, %r31, 2; cvt.u64.u32 %l4, %r2; add.s64 %l5, %p1, %l4; add.s64 "
       "%l6, %l3, %l4;"
       "ld.global.u32 %r3, [%l5]; ld.global.u32 %r4, [%l5+128]; st.shared.u32 [%l6], %r3; "
       "st.shared.u32 [%l6+128], %r4;"
       "bar.warp.sync -1; add.s64 %l2, %l3, %l1; ld.shared.u32 %r0, [%l2];",
       1},
      {"two words, the second one",
       "and.b64 %l1, %l1, -8; add.s64 %l2, %p1, %l1; ld.global.v2.u32 {%r4, %r0}, [%l2]; sub.u32 "
       "%r4, %r4, %r4; add.u32 %r0, %r0, %r4;",
       2},
      {"four words, the last one",
       "and.b64 %l1, %l1, -16; add.s64 %l2, %p1, %l1; ld.global.v4.f32 {%f1, %f2, %f3, %f4}, "
       "[%l2]; mov.b32 %r0, %f4;",
       4},
  };
  Words values;
  for (uint32_t n = 0; n < 64; ++n) values.push_back(value_at(n));
  for (const Way& way : ways) {
    for (const Places& p : kPlaces) {
      SCOPED_TRACE(std::string(way.name) + ": " + p.name);
      const Words places = places_of(p, 63);
      const KernelRun run =
          run_ptx(kernel_text(kWhere + way.load + kStoreR0, 3, "", ".shared .align 16 .b8 s[256];"),
                  {1, 1, 1}, {32, 1, 1}, {Words(32), values, places});
      ASSERT_EQ(errors_of(run), "");
      for (const Finding& f : run.result.findings) ADD_FAILURE() << f.message;
      for (uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(run.buffers[0][lane],
                  value_at(places[lane] / way.words * way.words + way.words - 1))
            << lane;
      }
    }
  }
}

TEST(NearWords, OneLaneOutsideIsFoundAndTheOthersGetTheirs) {
  Words values;
  for (uint32_t n = 0; n < 64; ++n) values.push_back(value_at(n));
  Words places(32, 50);
  places[17] = 64;
  const KernelRun run = run_ptx(
      kernel_text(kWhere + "add.s64 %l2, %p1, %l1; ld.global.u32 %r0, [%l2];" + kStoreR0, 3),
      {1, 1, 1}, {32, 1, 1}, {Words(32), values, places});
  const Finding* f = run.find(FindingKind::kOutOfBounds);
  ASSERT_NE(f, nullptr);
  EXPECT_EQ(f->who.thread.x, 17u);
  EXPECT_EQ(run.buffers[0][16], value_at(50));
  EXPECT_EQ(run.buffers[0][17], 0u);
}

// Wild addresses, 2^63 bytes and more apart. The undefined-behaviour sanitizer checks the sum.
TEST(NearWords, WhatLiesHalfOfAllMemoryApartIsNotNear) {
  uint64_t address[32];
  for (uint64_t lane = 0; lane < 32; ++lane) address[lane] = lane;
  address[3] = 0x7777777777777700;
  address[4] = 0x8f8f8f8f8f8f8f00;
  AddressPattern pattern;
  describe(pattern, address, 0xffffffff, 4);
  EXPECT_EQ(pattern.lowest, static_cast<int64_t>(address[4]));
  EXPECT_EQ(pattern.highest, static_cast<int64_t>(address[3]));
  EXPECT_EQ(pattern.near_words, 0u);
  EXPECT_FALSE(pattern.contiguous);
}

}  // namespace
}  // namespace warpshop::emulator::testing
