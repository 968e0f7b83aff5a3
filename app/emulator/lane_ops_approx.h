// What the approximating instructions do to one lane. The hardware reads tables; here the exact
// value is rounded once, with the hardware's special values. PTX ISA §9.7.3 states them and the
// errors allowed.
#pragma once

#include <cmath>

#include "lane_ops.h"
#include "lane_special.h"

namespace warpshop::emulator::WARPSHOP_LANES {

inline float rounded_once(double x) { return canonical(static_cast<float>(x)); }

struct RcpApprox {
  template <typename D>
  static D of(D a) {
    return with_nan_of(D(1) / a, a);
  }
};
struct SqrtApprox {
  template <typename D>
  static D of(D a) {
    return Sqrt::of<D>(a);
  }
};
struct RsqrtApprox {
  template <typename D>
  static D of(D a) {
    if constexpr (sizeof(D) == 4)
      return rounded_once(1.0 / std::sqrt(static_cast<double>(a)));
    else
      return with_nan_of(1.0 / std::sqrt(a), a);
  }
};
struct DivFull {
  template <typename D>
  static D of(D a, D b) {
    return Div::of<D>(a, b);
  }
};
// a · (1/b), where the reciprocal of a huge divisor is 0. PTX ISA §9.7.3.8 "div".
struct DivApprox {
  template <typename D>
  static D of(D a, D b) {
    const float size = std::fabs(b);
    if (size > 8.5070592e37f && size < HUGE_VALF) {  // 2^126
      if (std::isinf(a)) return canonical(a - a);
      if (a == a) return std::copysign(1.0f, a) * std::copysign(0.0f, b);
    }
    return Div::of<D>(a, b);
  }
};

// sin and cos: the angle is first made a fraction of a turn, in f32 and towards zero. That is where
// the error of large angles comes from, so it is done in the same way.
inline double turns_of(float x) {
  const double exact =
      static_cast<double>(x) * static_cast<double>(from_bits<float>(0x3e22f983u));  // 1/(2π)
  float turns = static_cast<float>(exact);
  if (std::fabs(static_cast<double>(turns)) > std::fabs(exact))
    turns = from_bits<float>(bits_of(turns) - 1);
  return static_cast<double>(turns);
}
inline constexpr double kTurn = 6.283185307179586476925;
inline double fraction_of_turn(double turns) { return turns - std::nearbyint(turns); }
struct SinApprox {
  template <typename D>
  static D of(D x) {
    const double turns = turns_of(x);
    if (!(std::fabs(turns) < HUGE_VAL)) return canonical(x - x);
    if (turns == 0.0) return std::copysign(0.0f, x);
    return rounded_once(std::sin(fraction_of_turn(turns) * kTurn));
  }
};
struct CosApprox {
  template <typename D>
  static D of(D x) {
    const double turns = turns_of(x);
    if (!(std::fabs(turns) < HUGE_VAL)) return canonical(x - x);
    return rounded_once(std::cos(fraction_of_turn(turns) * kTurn));
  }
};
template <typename Op, typename H>
inline H approx_of_half(H x) {
  return half_from_float<H>(Op::template of<float>(float_from_half(x)));
}
// The unit cuts 16-bit results off, subnormal ones too.
template <typename H>
inline H cut_to_half(float x) {
  if (x != x) return {0x7fff};
  const H nearest = half_from_float<H>(x);
  const bool above = std::fabs(float_from_half(nearest)) > std::fabs(x);
  return {static_cast<uint16_t>(nearest.bits - (above ? 1 : 0))};
}
struct Lg2Approx {
  template <typename D>
  static D of(D x) {
    return rounded_once(std::log2(static_cast<double>(x)));
  }
};
struct Ex2Approx {
  template <typename D>
  static D of(D x) {
    if constexpr (kIsHalf<D>)
      return approx_of_half<Ex2Approx>(x);
    else
      return rounded_once(std::exp2(static_cast<double>(x)));
  }
};
struct TanhApprox {
  template <typename D>
  static D of(D x) {
    if constexpr (kIsHalf<D>)
      return cut_to_half<D>(TanhApprox::of<float>(float_from_half(x)));
    else
      return from_bits<float>(lanes_base::special_tanh(bits_of(x)));
  }
};

// The f64 forms work on the high word alone; the low one of the result is 0. PTX ISA §9.7.3.14,
// §9.7.3.17.
inline double high_word(double x) { return from_bits<double>(bits_of(x) & 0xffffffff00000000u); }
inline double flush_double(double x) {
  return (bits_of(x) & 0x7ff0000000000000u) == 0 ? std::copysign(0.0, x) : x;
}
struct RcpHigh {
  template <typename D>
  static D of(D x) {
    if (x != x) return from_bits<D>(0x7fffffff00000000u);
    return flush_double(high_word(1.0 / flush_double(high_word(x))));
  }
};
struct RsqrtHigh {
  template <typename D>
  static D of(D x) {
    const double high = flush_double(high_word(x));
    if (x != x || high < 0.0) return from_bits<D>(0x7fffffff00000000u);
    return high_word(1.0 / std::sqrt(high));
  }
};

}  // namespace warpshop::emulator::WARPSHOP_LANES
