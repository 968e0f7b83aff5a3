#include "lab/fills.h"

#include <gtest/gtest.h>

#include <cstring>
#include <vector>

namespace warpshop::lab {
namespace {

struct HashCase {
  const char* fill;
  size_t size_bytes;
  const char* hash;
};

// Input buffers that kernels only read. The hashes were taken on an H200:
// tests/hardware/cases/truth.json (two-dim-block-16x16, shared-swizzle, shared-atomic-1,
// copy-f64-256-pad1, conv-naive).
TEST(Fills, EqualTheHardwareTruths) {
  const HashCase kCases[] = {
      {"bits", 1024, "135a56fa4b7b8468"},
      {"f32", 4096, "e243127d87038387"},
      {"f64", 524288, "86a150f17c9d9813"},
      {"u8", 65536, "29fe39c42b9aa828"},
  };
  for (const HashCase& c : kCases) {
    const Result<Fill> fill = fill_from_spec(c.fill);
    ASSERT_TRUE(fill.ok());
    std::vector<uint8_t> bytes(c.size_bytes, 0xAA);
    fill_bytes(*fill, bytes);
    EXPECT_EQ(fnv1a_hex(bytes), c.hash) << c.fill;
  }
}

template <typename T>
std::vector<T> filled(const Fill& fill, size_t count) {
  std::vector<T> out(count);
  std::vector<uint8_t> bytes(count * sizeof(T), 0xAA);
  fill_bytes(fill, bytes);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

TEST(Fills, PatternsAreThoseOfTheTable) {
  using testing::Test;
  EXPECT_EQ(filled<uint32_t>(*fill_from_spec("iota"), 4), (std::vector<uint32_t>{0, 1, 2, 3}));
  EXPECT_EQ(filled<uint32_t>(*fill_from_spec("zero"), 2), (std::vector<uint32_t>{0, 0}));
  EXPECT_EQ(filled<uint32_t>(*fill_from_spec("chase=3"), 5),
            (std::vector<uint32_t>{3, 4, 0, 1, 2}));
  EXPECT_EQ(filled<float>({.kind = FillKind::kIota, .type = ElementType::kF32}, 3),
            (std::vector<float>{0, 1, 2}));
  EXPECT_EQ(filled<double>({.kind = FillKind::kIota, .type = ElementType::kF64}, 3),
            (std::vector<double>{0, 1, 2}));
  EXPECT_EQ(filled<uint8_t>({.kind = FillKind::kIota, .type = ElementType::kU8}, 258)[257], 1);
}

TEST(Fills, NoneIsLeftAlone) {
  std::vector<uint8_t> bytes(16, 0xAA);
  const Fill none = *fill_from_spec("none");
  fill_bytes(none, bytes);
  EXPECT_EQ(bytes, std::vector<uint8_t>(16, 0xAA));
  EXPECT_FALSE(writes(none));
}

TEST(Fills, ASeedMakesAnotherBufferInTheSameRange) {
  Fill fill{.kind = FillKind::kRandom, .type = ElementType::kF32};
  const std::vector<float> first = filled<float>(fill, 1000);
  fill.seed = 1;
  const std::vector<float> second = filled<float>(fill, 1000);
  EXPECT_NE(first, second);
  for (float value : second) {
    EXPECT_GE(value, -0.25F);
    EXPECT_LT(value, 0.75F);
  }
}

// SplitMix64 with seed 1234567 starts with 6457827717110365317 and 3203168211198807973; the words
// are the upper halves. Source: Rosetta Code, "Pseudo-random numbers/Splitmix64".
TEST(Fills, AKeyMakesWordsThatTellNothingOfIt) {
  const std::vector<uint32_t> words = {static_cast<uint32_t>(6457827717110365317ULL >> 32),
                                       static_cast<uint32_t>(3203168211198807973ULL >> 32)};
  EXPECT_EQ(filled<uint32_t>({.kind = FillKind::kBits, .key = 1234567}, 2), words);
  EXPECT_EQ(
      filled<uint32_t>({.kind = FillKind::kRandom, .type = ElementType::kU32, .key = 1234567}, 2),
      words);
  const Fill floats{.kind = FillKind::kRandom, .type = ElementType::kF32, .key = 1234567};
  EXPECT_EQ(filled<float>(floats, 1)[0], static_cast<float>(words[0] & 0xFFFF) / 65536.0F - 0.25F);
}

TEST(Fills, AnOddNumberOfBytesIsFilledToTheEnd) {
  std::vector<uint8_t> odd(1027, 0xAA);
  std::vector<uint8_t> even(1028, 0xAA);
  fill_bytes(*fill_from_spec("bits"), odd);
  fill_bytes(*fill_from_spec("bits"), even);
  even.pop_back();
  EXPECT_EQ(odd, even);
}

TEST(Fills, BigBuffersRepeatTheirFirst64MiB) {
  const size_t period = size_t{64} << 20;
  std::vector<uint8_t> bytes(period + 4096);
  fill_bytes(*fill_from_spec("bits"), bytes);
  EXPECT_EQ(std::memcmp(bytes.data() + period, bytes.data(), 4096), 0);
  fill_bytes(*fill_from_spec("chase=1"), bytes);
  EXPECT_NE(std::memcmp(bytes.data() + period, bytes.data(), 4096), 0);
}

TEST(Fills, UnknownNamesListTheKnownOnes) {
  for (const char* text : {"", "ones", "chase=", "chase=x", "chase=-1", "file="}) {
    const Result<Fill> fill = fill_from_spec(text);
    ASSERT_FALSE(fill.ok()) << text;
    EXPECT_EQ(fill.errors().front().kind.name(), "usage");
  }
  EXPECT_NE(fill_from_spec("ones").errors().front().help.english().find("iota"), std::string::npos);
}

// FNV-1a's published 64-bit test vectors start from another offset basis than
// ours, which the README of the truth gives. An empty buffer hashes to the offset
// itself, a zero byte to offset × prime mod 2^64.
TEST(Fnv1a, FollowsTheTruthsDefinition) {
  EXPECT_EQ(fnv1a_hex({}), "14650fb0739d0383");  // 1469598103934665603
  const std::vector<uint8_t> zero = {0};
  char expected[17];
  std::snprintf(expected, sizeof expected, "%016llx",
                static_cast<unsigned long long>(1469598103934665603ULL * 1099511628211ULL));
  EXPECT_EQ(fnv1a_hex(zero), expected);
}

}  // namespace
}  // namespace warpshop::lab
