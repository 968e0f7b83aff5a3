// Lane operations of the approximate instructions: the special-function unit and the few steps that
// the back end adds around it, as ptxas 13.0 does for compute capability 9.0. PTX ISA §9.7.3.
#pragma once

#include <cmath>

#include "lanes/lane_ops.h"
#include "lanes/lane_special.h"

namespace warpshop::emulator::WARPSHOP_LANES {

inline constexpr float kLeastNormal = 1.17549435e-38f;  // 2^-126
inline constexpr float kHuge = 8.50705917e37f;          // 2^126
inline constexpr float kUp = 16777216.0f;               // 2^24: makes subnormal numbers normal

inline float unit(uint32_t (*function)(uint32_t), float x) {
  return from_bits<float>(function(bits_of(x)));
}

struct RcpApprox {
  template <typename D>
  static D of(D x) {
    const float subnormal = std::fabs(x) < kLeastNormal ? kUp : 1.0f;
    const float scale = std::fabs(x) > kHuge ? 0.25f : subnormal;
    return canonical(scale * unit(lanes_base::special_rcp, x * scale));
  }
};
struct SqrtApprox {
  template <typename D>
  static D of(D x) {
    if (!(std::fabs(x) < kLeastNormal)) return unit(lanes_base::special_sqrt, x);
    return canonical(unit(lanes_base::special_sqrt, x * kUp) * (1.0f / 4096));
  }
};
struct RsqrtApprox {
  template <typename D>
  static D of(D x) {
    if constexpr (sizeof(D) == 4) {
      if (!(std::fabs(x) < kLeastNormal)) return unit(lanes_base::special_rsqrt, x);
      return canonical(unit(lanes_base::special_rsqrt, x * kUp) * 4096.0f);
    } else {
      return refined_rsqrt(x);
    }
  }
  static double first_rsqrt(double x) {
    const uint32_t high = lanes_base::special_rsqrt64(static_cast<uint32_t>(bits_of(x) >> 32));
    return from_bits<double>(static_cast<uint64_t>(high) << 32);
  }
  // One third-order iteration from the unit's estimate.
  static double step(double x) {
    const double estimate = first_rsqrt(x);
    const double error = fused(x, -(estimate * estimate), 1.0);
    return fused(fused(error, 0.375, 0.5), estimate * error, estimate);
  }
  static double refined_rsqrt(double x) {
    if (x != x) return quiet(x);
    if (x == 0.0) return std::copysign(HUGE_VAL, x);
    if (x < 0.0) return chosen_nan();
    if (x == HUGE_VAL) return 0.0;
    const bool tiny = bits_of(x) < 0x0010000000000000u;
    return tiny ? step(x * 18014398509481984.0) * 134217728.0 : step(x);  // 2^54, 2^27
  }
};
struct DivApprox {
  template <typename D>
  static D of(D a, D b) {
    const float scale = std::fabs(b) < kLeastNormal ? kUp : 1.0f;
    return canonical(unit(lanes_base::special_rcp, b * scale) * (a * scale));
  }
};
struct DivFull {
  template <typename D>
  static D of(D a, D b) {
    const float subnormal = std::fabs(b) < kLeastNormal ? kUp : 1.0f;
    const float scale = std::fabs(b) > kHuge ? 0.25f : subnormal;
    return canonical(unit(lanes_base::special_rcp, b * scale) * (a * scale));
  }
};

// sin and cos: the angle is first converted to turns, in f32 and truncated. This causes the error
// of large angles.
inline float turns_of(float x) {
  const double exact =
      static_cast<double>(x) * static_cast<double>(from_bits<float>(0x3e22f983u));  // 1/(2π)
  const float turns = static_cast<float>(exact);
  const bool away = std::fabs(static_cast<double>(turns)) > std::fabs(exact);
  return from_bits<float>(bits_of(turns) - (away ? 1 : 0));
}
struct SinApprox {
  template <typename D>
  static D of(D x) {
    return unit(lanes_base::special_sin, turns_of(x));
  }
};
struct CosApprox {
  template <typename D>
  static D of(D x) {
    return unit(lanes_base::special_cos, turns_of(x));
  }
};
struct Lg2Approx {
  template <typename D>
  static D of(D x) {
    if (!(std::fabs(x) < kLeastNormal)) return unit(lanes_base::special_lg2, x);
    return canonical(unit(lanes_base::special_lg2, x * kUp) - 24.0f);
  }
};

inline float largest_exponent(F16) { return 65536.0f; }
inline float largest_exponent(Bf16) { return HUGE_VALF; }
// The unit truncates 16-bit results, including subnormal ones; those out of range become infinite.
template <typename H>
inline H cut_to_half(float x) {
  if (x != x) return {0x7fff};
  const H nearest = half_from_float<H>(x);
  if (std::fabs(x) >= largest_exponent(H{})) return nearest;
  const bool above = std::fabs(float_from_half(nearest)) > std::fabs(x);
  return {static_cast<uint16_t>(nearest.bits - (above ? 1 : 0))};
}
struct Ex2Approx {
  template <typename D>
  static D of(D x) {
    if constexpr (kIsHalf<D>) {
      return cut_to_half<D>(unit(lanes_base::special_ex2, float_from_half(x)));
    } else {
      if (!(x < -126.0f)) return unit(lanes_base::special_ex2, x);
      const float root = unit(lanes_base::special_ex2, x * 0.5f);
      return root * root;
    }
  }
};
struct TanhApprox {
  template <typename D>
  static D of(D x) {
    if constexpr (kIsHalf<D>)
      return cut_to_half<D>(unit(lanes_base::special_tanh, float_from_half(x)));
    else
      return unit(lanes_base::special_tanh, x);
  }
};

// .ftz: values that the unit treats as zero need no extra steps.
struct RcpUnit {
  template <typename D>
  static D of(D x) {
    return unit(lanes_base::special_rcp, x);
  }
};
struct DivUnit {
  template <typename D>
  static D of(D a, D b) {
    return canonical(unit(lanes_base::special_rcp, b) * a);
  }
};
struct Ex2Unit {
  template <typename D>
  static D of(D x) {
    return unit(lanes_base::special_ex2, x);
  }
};

// The f64 forms use only the high word; the low word of the result is 0.
// PTX ISA "rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64".
struct RcpHigh {
  template <typename D>
  static D of(D x) {
    const uint32_t high = lanes_base::special_rcp64(static_cast<uint32_t>(bits_of(x) >> 32));
    return from_bits<double>(static_cast<uint64_t>(high) << 32);
  }
};
struct RsqrtHigh {
  template <typename D>
  static D of(D x) {
    return RsqrtApprox::first_rsqrt(x);
  }
};

}  // namespace warpshop::emulator::WARPSHOP_LANES
