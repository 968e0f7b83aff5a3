#include "checks/compare.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <optional>

#include "core/element.h"

namespace warpshop::lab {
namespace {

template <typename T>
BufferImage image(const std::vector<T>& values, const std::vector<bool>& written = {}) {
  BufferImage out;
  out.bytes.resize(values.size() * sizeof(T));
  if (!values.empty()) std::memcpy(out.bytes.data(), values.data(), out.bytes.size());
  if (!written.empty()) {
    for (bool flag : written) out.written.insert(out.written.end(), sizeof(T), flag ? 1 : 0);
  }
  return out;
}

BufferComparison compare_floats(const BufferImage& expected, const BufferImage& got,
                                double tolerance = 0) {
  return compare_buffers("out", ElementType::kF32, 2, expected, got, tolerance);
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST(Compare, EqualBitsAreEqual) {
  const auto same = compare_floats(image<float>({1, 2, kNan}), image<float>({1, 2, -kNan}));
  EXPECT_EQ(same.wrong, 0U);
  EXPECT_EQ(same.count, 3U);
  EXPECT_EQ(same.width, 2U);
  EXPECT_TRUE(same.wrong_bits.empty());
  EXPECT_FALSE(same.first);
}

TEST(Compare, TheFirstMismatchIsNamedExactly) {
  const auto result = compare_floats(image<float>({1, 2, 0.1F, 4}), image<float>({1, 2, 0.25F, 5}));
  EXPECT_EQ(result.wrong, 2U);
  ASSERT_TRUE(result.first);
  EXPECT_EQ(result.first->index, 2U);
  EXPECT_EQ(result.first->expected_text, "0.1");
  EXPECT_EQ(result.first->got_text, "0.25");
  EXPECT_EQ(result.wrong_bits, (std::vector<uint8_t>{0b1100}));
  EXPECT_DOUBLE_EQ(result.max_abs_error, 1);
}

TEST(Compare, AnElementNeverWrittenIsWrongEvenWhenItsValueAgrees) {
  const auto result = compare_floats(image<float>({0, 0}), image<float>({0, 0}, {true, false}));
  EXPECT_EQ(result.wrong, 1U);
  ASSERT_TRUE(result.first);
  EXPECT_EQ(result.first->index, 1U);
  EXPECT_EQ(result.first->got_text, "never written");
}

TEST(Compare, ErrorsAreSortedByHowFarOffTheyAre) {
  constexpr float kInfinite = std::numeric_limits<float>::infinity();
  // Relative errors: 0, 2^-21, 1/1000 (a little more in floats), 1/2, 1, 90; then NaN, infinity,
  // 0.25 instead of 0, and an element never written.
  const auto result =
      compare_floats(image<float>({1, 1, 1000, 2, 1, 1, 1, 1, 0, 3}),
                     image<float>({1, 1 + 0x1p-21F, 1001.5F, 3, 2, 91, kNan, kInfinite, 0.25F, 3},
                                  {true, true, true, true, true, true, true, true, true, false}));
  EXPECT_EQ(result.wrong, 9U);
  // Below 10^-6: 2^-21 = 4.8e-7. 10^-3 to 10^-2: 1.5e-3. 10^-1 to 1:
  // 1/2 and the 0.25. 1 to 10: 1. 10 and more: 90.
  EXPECT_EQ(result.errors.decades, (std::array<uint64_t, 9>{1, 0, 0, 0, 1, 0, 2, 1, 1}));
  EXPECT_EQ(result.errors.no_number, 2U);
  EXPECT_EQ(result.errors.never_written, 1U);
}

TEST(Compare, WhatTheReferenceLeavesAloneIsNotCompared) {
  const auto result = compare_floats(image<float>({1, 0}, {true, false}), image<float>({1, 9}));
  EXPECT_EQ(result.wrong, 0U);
}

struct ToleranceCase {
  const char* name;
  float expected;
  float got;
  double tolerance;
  bool wrong;
};

// The buffer holds the case's value and 1, so the mean magnitude is (|expected| + 1) / 2.
TEST(Compare, OneValueInEveryChangedElementIsRecognised) {
  const auto only = [](const std::vector<float>& before, const BufferImage& after) {
    const BufferImage filled = image(before);
    return only_value(ElementType::kF32, filled.bytes, after);
  };
  EXPECT_EQ(only({1, 2, 3, 4}, image<float>({1, 0, -0.0F, 4})), "0") << "-0 is 0";
  EXPECT_EQ(only({1, 2, 3, 4}, image<float>({kNan, kNan, 3, -kNan})), "nan");
  EXPECT_EQ(only({1, 2}, image<float>({1, 2})), "") << "nothing has changed";
  EXPECT_EQ(only({1, 2, 3}, image<float>({0.5F, 2, 1.5F})), std::nullopt);
  EXPECT_EQ(only({1, 2, 3}, image<float>({1, 0, 3})), std::nullopt) << "a sum is one element";
  // What was not filled has changed once it is written.
  EXPECT_EQ(only({}, image<float>({7, 0, 7}, {true, false, true})), "7");
}

TEST(Compare, ToleranceIsRelative) {
  const ToleranceCase kCases[] = {
      {"inside", 100, 100.05F, 1e-3, false},
      {"outside", 100, 100.2F, 1e-3, true},
      {"near_zero_uses_the_mean", 0, 0.0004F, 1e-3, false},
      {"near_zero_outside", 0, 0.0006F, 1e-3, true},
      {"nan_is_not_near", 1, kNan, 0.5, true},
      {"infinity_is_not_near", 1, INFINITY, 0.5, true},
      {"exact_needs_the_last_bit", 1, 1.0000001F, 0, true},
  };
  for (const ToleranceCase& c : kCases) {
    const auto result =
        compare_floats(image<float>({c.expected, 1}), image<float>({c.got, 1}), c.tolerance);
    EXPECT_EQ(result.wrong, c.wrong ? 1U : 0U) << c.name;
  }
}

TEST(Compare, EveryElementTypeHasItsText) {
  const auto text = [](ElementType type, auto value) {
    return element_text(type, reinterpret_cast<const uint8_t*>(&value));
  };
  EXPECT_EQ(text(ElementType::kU8, uint8_t{200}), "200");
  EXPECT_EQ(text(ElementType::kU16, uint16_t{65535}), "65535");
  EXPECT_EQ(text(ElementType::kI32, int32_t{-7}), "-7");
  EXPECT_EQ(text(ElementType::kU32, uint32_t{4000000000U}), "4000000000");
  EXPECT_EQ(text(ElementType::kI64, int64_t{-5000000000}), "-5000000000");
  EXPECT_EQ(text(ElementType::kF32, 0.1F), "0.1");
  EXPECT_EQ(text(ElementType::kF64, 0.1), "0.1");
  EXPECT_EQ(text(ElementType::kF32, -0.0F), "-0");
}

}  // namespace
}  // namespace warpshop::lab
