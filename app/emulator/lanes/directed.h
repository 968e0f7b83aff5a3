// Sums, products, quotients, square roots and fused operations of f32 and f64 that round towards
// zero, down or up, computed with integers: for hosts that only round to nearest (WebAssembly).
// IEEE 754-2019 §4.3.2, §5.4.1. The NaN of a result is any NaN.
#pragma once

#include <cstdint>

namespace warpshop::emulator {

enum Direction : int { kToNearest, kTowardZero, kDownward, kUpward };

namespace directed {

template <typename T>
struct Format;
template <>
struct Format<float> {
  using Bits = uint32_t;
  static constexpr int kDigits = 24, kLeast = -126, kMost = 127;
};
template <>
struct Format<double> {
  using Bits = uint64_t;
  static constexpr int kDigits = 53, kLeast = -1022, kMost = 1023;
};

using Wide = unsigned __int128;
inline constexpr int kWideBits = 128;
inline int bit_length(Wide x) {  // x > 0
  const auto high = static_cast<uint64_t>(x >> 64);
  return high != 0 ? kWideBits - __builtin_clzll(high)
                   : 64 - __builtin_clzll(static_cast<uint64_t>(x));
}
// x / 2^n, with all bits shifted out ORed into the lowest bit.
inline Wide shifted_right(Wide x, int n) {
  if (n == 0) return x;
  if (n >= kWideBits) return x != 0 ? 1 : 0;
  return x >> n | static_cast<Wide>((x << (kWideBits - n)) != 0);
}

// (-1)^negative · mantissa · 2^exponent
struct Exact {
  bool negative = false;
  Wide mantissa = 0;
  int exponent = 0;
};

template <typename T>
inline Exact exact(T x) {  // finite
  using F = Format<T>;
  const auto bits = __builtin_bit_cast(typename F::Bits, x);
  const auto fraction = bits & ((typename F::Bits{1} << (F::kDigits - 1)) - 1);
  const int biased = static_cast<int>(bits >> (F::kDigits - 1)) & (2 * F::kMost + 1);
  Exact out;
  out.negative = bits >> (sizeof(T) * 8 - 1) != 0;
  out.mantissa = biased == 0 ? fraction : fraction | typename F::Bits{1} << (F::kDigits - 1);
  out.exponent = (biased == 0 ? 1 : biased) - F::kMost - (F::kDigits - 1);
  return out;
}

// The value in T. The mantissa's lowest bit may stand for more bits below, if it has at least two
// more than T.
template <typename T>
inline T rounded(const Exact& value, Direction direction) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  const Bits sign = static_cast<Bits>(value.negative) << (sizeof(T) * 8 - 1);
  if (value.mantissa == 0) return __builtin_bit_cast(T, sign);
  constexpr Bits kInfinity = static_cast<Bits>(2 * F::kMost + 1) << (F::kDigits - 1);
  const bool away = direction == (value.negative ? kDownward : kUpward);
  const int top = value.exponent + bit_length(value.mantissa) - 1;
  if (top > F::kMost) return __builtin_bit_cast(T, sign | (away ? kInfinity : kInfinity - 1));
  const int unit = (top < F::kLeast ? F::kLeast : top) - (F::kDigits - 1);
  const int drop = unit - value.exponent;
  Bits kept = 0;
  bool inexact = false;
  if (drop <= 0) {
    kept = static_cast<Bits>(value.mantissa << -drop);
  } else {
    kept = drop < kWideBits ? static_cast<Bits>(value.mantissa >> drop) : 0;
    inexact = drop >= kWideBits || (value.mantissa << (kWideBits - drop)) != 0;
  }
  if (inexact && away) ++kept;
  // The leading bit of a normal number adds one to the exponent; so does a carry out of the digits.
  const Bits biased = static_cast<Bits>(unit + (F::kDigits - 1) - F::kLeast);
  return __builtin_bit_cast(T, sign | ((biased << (F::kDigits - 1)) + kept));
}

template <typename T>
inline bool is_finite(T x) {
  return x - x == T(0);
}

// The leading bit is bit 125, so a sum of two has room. The mantissa is not 0.
inline Exact normalised(const Exact& x) {
  const int shift = kWideBits - 2 - bit_length(x.mantissa);
  return {x.negative, x.mantissa << shift, x.exponent - shift};
}

// a + b; at most one of them may have a sticky lowest bit.
template <typename T>
inline T rounded_sum(Exact a, Exact b, Direction direction) {
  if (a.mantissa == 0 && b.mantissa == 0) {
    a.negative = a.negative == b.negative ? a.negative : direction == kDownward;
    return rounded<T>(a, direction);
  }
  if (a.mantissa == 0) return rounded<T>(b, direction);
  if (b.mantissa == 0) return rounded<T>(a, direction);
  a = normalised(a);
  b = normalised(b);
  if (a.exponent < b.exponent || (a.exponent == b.exponent && a.mantissa < b.mantissa)) {
    const Exact larger = b;
    b = a;
    a = larger;
  }
  // Products have 106 bits: nothing is lost unless one number is so much smaller that the lost bits
  // only say on which side of a digit the sum lies.
  b.mantissa = shifted_right(b.mantissa, a.exponent - b.exponent);
  Exact out = a;
  if (a.negative == b.negative) {
    out.mantissa += b.mantissa;
  } else {
    out.mantissa -= b.mantissa;
    if (out.mantissa == 0) out.negative = direction == kDownward;
  }
  return rounded<T>(out, direction);
}

inline Exact exact_product(const Exact& a, const Exact& b) {
  return {a.negative != b.negative, a.mantissa * b.mantissa, a.exponent + b.exponent};
}

template <typename T>
inline T sum(T a, T b, Direction direction) {
  if (!is_finite(a) || !is_finite(b)) return a + b;
  return rounded_sum<T>(exact(a), exact(b), direction);
}

template <typename T>
inline T product(T a, T b, Direction direction) {
  if (!is_finite(a) || !is_finite(b)) return a * b;
  return rounded<T>(exact_product(exact(a), exact(b)), direction);
}

template <typename T>
inline T fused(T a, T b, T c, Direction direction) {
  if (!is_finite(a) || !is_finite(b)) return a * b + c;
  if (!is_finite(c)) return c;
  return rounded_sum<T>(exact_product(exact(a), exact(b)), exact(c), direction);
}

template <typename T>
inline T quotient(T a, T b, Direction direction) {
  if (!is_finite(a) || !is_finite(b) || a == T(0) || b == T(0)) return a / b;
  Exact x = exact(a);
  Exact y = exact(b);
  const int up = kWideBits - bit_length(x.mantissa);
  x.mantissa <<= up;
  const Wide whole = x.mantissa / y.mantissa;  // at least 75 bits
  const bool rest = whole * y.mantissa != x.mantissa;
  return rounded<T>(
      {x.negative != y.negative, whole | static_cast<Wide>(rest), x.exponent - up - y.exponent},
      direction);
}

template <typename T>
inline T root(T a, Direction direction) {
  if (!is_finite(a) || a <= T(0)) return static_cast<T>(__builtin_sqrt(static_cast<double>(a)));
  Exact x = exact(a);
  int up = kWideBits - 4 - bit_length(x.mantissa);
  up -= (x.exponent - up) & 1;  // an even exponent: its half is the root's
  x.mantissa <<= up;
  x.exponent -= up;
  // Newton's iterations from above.
  Wide root = Wide{1} << ((bit_length(x.mantissa) + 1) / 2);
  for (Wide next = (root + x.mantissa / root) / 2; next < root;
       next = (root + x.mantissa / root) / 2) {
    root = next;
  }
  const bool rest = root * root != x.mantissa;  // root has 62 bits
  return rounded<T>({false, root << 1 | static_cast<Wide>(rest), x.exponent / 2 - 1}, direction);
}

}  // namespace directed
}  // namespace warpshop::emulator
