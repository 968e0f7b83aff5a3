// The stand-ins of core/charconv.h and core/standard.h say what the standard library says.
#include "core/charconv.h"

#include <gtest/gtest.h>

#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "core/standard.h"

namespace warpshop {
namespace {

template <typename T>
using BitsOf = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;

template <typename T>
void expect_alike(T value) {
  SCOPED_TRACE(::testing::Message() << std::hexfloat << value);
  char ours[400], theirs[400];
  for (const auto format : {std::chars_format::fixed, std::chars_format::scientific}) {
    const auto written = stand_in::to_chars(ours, ours + sizeof ours, value, format);
    const auto expected = std::to_chars(theirs, theirs + sizeof theirs, value, format);
    ASSERT_EQ(std::string(ours, written.ptr), std::string(theirs, expected.ptr));
  }
  const auto written = stand_in::to_chars(ours, ours + sizeof ours, value);
  const auto expected = std::to_chars(theirs, theirs + sizeof theirs, value);
  ASSERT_EQ(std::string(ours, written.ptr), std::string(theirs, expected.ptr));
  T back = 1;
  const auto read = stand_in::from_chars(ours, written.ptr, back);
  ASSERT_EQ(read.ptr, written.ptr);
  ASSERT_EQ(read.ec, std::errc());
  if (value == value) {
    ASSERT_EQ(std::bit_cast<BitsOf<T>>(back), std::bit_cast<BitsOf<T>>(value));
  } else {
    ASSERT_TRUE(std::isnan(back));
  }
}

template <typename T>
void expect_all_alike() {
  using Limits = std::numeric_limits<T>;
  for (const T value : {T(0), T(-0.0), T(1), T(0.1), T(1e23), Limits::min(), Limits::max(),
                        Limits::denorm_min(), Limits::infinity(), Limits::quiet_NaN()}) {
    expect_alike(value);
    expect_alike(-value);
  }
  // The neighbour below a power of two is closer than the one above.
  for (int n = Limits::min_exponent - Limits::digits; n < Limits::max_exponent; ++n)
    expect_alike(std::ldexp(T(1), n));
  for (int n = Limits::min_exponent10; n <= Limits::max_exponent10; ++n)
    expect_alike(static_cast<T>(std::pow(10.0L, n)));
  std::mt19937_64 random(1);
  for (int n = 0; n < 4'000; ++n) {
    expect_alike(std::bit_cast<T>(static_cast<BitsOf<T>>(random())));
    expect_alike(static_cast<T>(static_cast<double>(random() % 2'000'000) / 1000));
    expect_alike(std::bit_cast<T>(static_cast<BitsOf<T>>(random() % 100'000)));  // subnormal
  }
}

TEST(NumberText, DoublesAsTheStandardLibrary) { expect_all_alike<double>(); }
TEST(NumberText, FloatsAsTheStandardLibrary) { expect_all_alike<float>(); }

TEST(NumberText, TooLittleRoom) {
  char text[3];
  EXPECT_EQ(stand_in::to_chars(text, text + 3, 0.25).ec, std::errc::value_too_large);
  EXPECT_EQ(stand_in::to_chars(text, text + 3, 0.5).ptr, text + 3);
}

TEST(NumberText, ReadsWhatTheStandardLibraryReads) {
  for (const char* word : {"",
                           "-",
                           "+1",
                           "1e",
                           "1e+",
                           "1e5x",
                           ".5",
                           "5.",
                           "-.e3",
                           "inf",
                           "INF",
                           "-nan",
                           "infinit",
                           "nan",
                           "nan(a_1)",
                           "nan(",
                           "0x10",
                           "1e400",
                           "-1e400",
                           "1e-400",
                           "4e-324",
                           "2e-324",
                           "0e999",
                           "1.5e-310",
                           "  1",
                           "1,5",
                           "00012.50",
                           "1e99999999999",
                           "0.0000e-99999",
                           "-Infinity!"}) {
    SCOPED_TRACE(word);
    const std::string text = word;
    double ours = 7, theirs = 7;
    const auto read = stand_in::from_chars(text.data(), text.data() + text.size(), ours);
    const auto expected = std::from_chars(text.data(), text.data() + text.size(), theirs);
    EXPECT_EQ(read.ptr - text.data(), expected.ptr - text.data());
    EXPECT_EQ(read.ec, expected.ec);
    if (theirs == theirs) {
      EXPECT_EQ(ours, theirs);
    } else {
      EXPECT_TRUE(std::isnan(ours));
    }
  }
}

TEST(Standard, AtomicRefChangesTheWordAtOnce) {
  uint32_t sum = 0, bits = 0;
  std::vector<std::thread> threads;
  for (uint32_t n = 0; n < 4; ++n) {
    threads.emplace_back([&, n] {
      for (int k = 0; k < 10'000; ++k) {
        const stand_in::AtomicRef<uint32_t> word(sum);
        uint32_t old = word.load(std::memory_order_relaxed);
        while (!word.compare_exchange_weak(old, old + 1, std::memory_order_acq_rel)) {
        }
      }
      stand_in::AtomicRef<uint32_t>(bits).fetch_or(1u << n, std::memory_order_relaxed);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(sum, 40'000u);
  EXPECT_EQ(bits, 15u);
  uint32_t expected = 1;
  EXPECT_FALSE(stand_in::AtomicRef<uint32_t>(sum).compare_exchange_strong(expected, 2));
  EXPECT_EQ(expected, 40'000u);
}

}  // namespace
}  // namespace warpshop
