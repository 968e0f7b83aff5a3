// lanes/directed.h rounds as the host's processor does when it is told to.
#include "lanes/directed.h"

#include <gtest/gtest.h>

#include <bit>
#include <cfenv>
#include <cmath>
#include <cstdint>
#include <random>
#include <type_traits>

namespace warpshop::emulator {
namespace {

template <typename T>
struct Operation {
  const char* name;
  T (*host)(T, T, T);
  T (*ours)(T, T, T, Direction);
};

// Neither inlined nor moved across a change of the rounding mode.
#define WARPSHOP_OPAQUE [[gnu::noinline]]
template <typename T>
WARPSHOP_OPAQUE T host_sum(T a, T b, T) {
  const volatile T x = a;
  return x + b;
}
template <typename T>
WARPSHOP_OPAQUE T host_product(T a, T b, T) {
  const volatile T x = a;
  return x * b;
}
template <typename T>
WARPSHOP_OPAQUE T host_quotient(T a, T b, T) {
  const volatile T x = a;
  return x / b;
}
template <typename T>
WARPSHOP_OPAQUE T host_root(T a, T, T) {
  const volatile T x = a;
  return std::sqrt(x);
}
template <typename T>
WARPSHOP_OPAQUE T host_fused(T a, T b, T c) {
  const volatile T x = a;
  return std::fma(x, b, c);
}

template <typename T>
const Operation<T> kOperations[] = {
    {"sum", host_sum<T>, [](T a, T b, T, Direction d) { return directed::sum(a, b, d); }},
    {"product", host_product<T>,
     [](T a, T b, T, Direction d) { return directed::product(a, b, d); }},
    {"quotient", host_quotient<T>,
     [](T a, T b, T, Direction d) { return directed::quotient(a, b, d); }},
    {"root", host_root<T>, [](T a, T, T, Direction d) { return directed::root(a, d); }},
    {"fused", host_fused<T>,
     [](T a, T b, T c, Direction d) { return directed::fused(a, b, c, d); }},
};

struct Mode {
  Direction direction;
  int host;
};
constexpr Mode kModes[] = {
    {kTowardZero, FE_TOWARDZERO}, {kDownward, FE_DOWNWARD}, {kUpward, FE_UPWARD}};

template <typename T>
void expect_alike(T a, T b, T c) {
  using Bits = typename directed::Format<T>::Bits;
  for (const Mode& mode : kModes) {
    for (const Operation<T>& operation : kOperations<T>) {
      std::fesetround(mode.host);
      const T host = operation.host(a, b, c);
      std::fesetround(FE_TONEAREST);
      const T ours = operation.ours(a, b, c, mode.direction);
      if (host != host && ours != ours) continue;
      ASSERT_EQ(std::bit_cast<Bits>(ours), std::bit_cast<Bits>(host))
          << operation.name << " in direction " << mode.direction << " of " << std::hexfloat << a
          << ", " << b << ", " << c;
    }
  }
}

// Numbers of all kinds: zeros, subnormal ones, the largest, infinities, NaNs, short ones, and those
// whose exponents are close together.
template <typename T>
class Numbers {
 public:
  using F = directed::Format<T>;
  using Bits = typename F::Bits;
  T next() {
    const Bits bits = static_cast<Bits>(random_());
    const Bits sign = bits & kSign;
    switch (random_() % 8) {
      case 0:
        return std::bit_cast<T>(sign);
      case 1:
        return with_exponent(bits, random_() % 4);
      case 2:
        return with_exponent(random_() % 2 == 0 ? bits : sign, kTop - random_() % 3);
      case 3:
        return with_exponent(bits, F::kMost - 2 + random_() % 5);
      case 4:
        return with_exponent(sign | (bits & 3), F::kMost - 2 + random_() % 5);
      case 5:
        return with_exponent(bits, F::kMost - 60 + random_() % 121);
      default:
        return std::bit_cast<T>(bits);
    }
  }
  // Close to -(a · b), for a sum that cancels most digits.
  T opposite(T a, T b) {
    const auto bits = std::bit_cast<Bits>(static_cast<T>(-(a * b)));
    return std::bit_cast<T>(static_cast<Bits>(bits + random_() % 5 - 2));
  }

 private:
  static constexpr Bits kSign = Bits{1} << (sizeof(T) * 8 - 1);
  static constexpr uint64_t kTop = 2 * F::kMost + 1;  // exponent of infinities and NaNs
  static T with_exponent(Bits bits, uint64_t exponent) {
    const Bits all = static_cast<Bits>(kTop) << (F::kDigits - 1);
    return std::bit_cast<T>(
        static_cast<Bits>((bits & ~all) | static_cast<Bits>(exponent) << (F::kDigits - 1)));
  }
  std::mt19937_64 random_{1};
};

template <typename T>
void expect_all_alike() {
  Numbers<T> numbers;
  for (int n = 0; n < 300'000 && !::testing::Test::HasFatalFailure(); ++n) {
    const T a = numbers.next(), b = numbers.next();
    expect_alike(a, n % 8 == 0 ? -a : b, n % 4 == 0 ? numbers.opposite(a, b) : numbers.next());
  }
}

TEST(Directed, FloatsAsTheHost) { expect_all_alike<float>(); }
TEST(Directed, DoublesAsTheHost) { expect_all_alike<double>(); }

}  // namespace
}  // namespace warpshop::emulator
