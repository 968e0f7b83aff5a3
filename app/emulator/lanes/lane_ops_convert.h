// Conversions that vectorise: the operations of unit FastConvert in ptx/instructions.def. All
// others are in lane_convert.cc, and a test compares the two.
#pragma once

#include "lanes/lane_ops.h"

namespace warpshop::emulator::WARPSHOP_LANES {

struct Resize {  // truncated, or extended according to the source's sign
  template <typename D, typename S>
  static D of(S a) {
    return static_cast<D>(a);
  }
};

struct ToFloat {
  template <typename D, typename S>
  static D of(S a) {
    if constexpr (sizeof(S) == 4 && !kIsSigned<S>) {
      // Not every instruction set converts unsigned integers. Both halves are exact, so there is
      // only one rounding.
      if constexpr (sizeof(D) == 4) {
        return static_cast<float>(static_cast<int32_t>(a >> 16)) * 65536.0f +
               static_cast<float>(static_cast<int32_t>(a & 0xffff));
      } else {
        return static_cast<double>(static_cast<int32_t>(a ^ 0x80000000u)) + 2147483648.0;
      }
    } else {
      return static_cast<D>(a);
    }
  }
};

// Converts x, already integral, to an integer; to the nearest one if it does not fit. Results for
// NaN were measured on an H200 (0; the sign bit if f64 or a 64-bit integer is involved).
template <typename D, typename T>
inline D integer_from(T x) {
  if constexpr (kIsFloat<D>) {
    return with_nan_of(x, x);
  } else {
    const D nan = sizeof(D) == 8 || sizeof(T) == 8
                      ? static_cast<D>(UnsignedOf<D>(1) << (kWidth<D> - 1))
                      : D(0);
    constexpr T kLimit =
        sizeof(D) == 8 ? T(9223372036854775808.0) : T(2147483648.0);  // 2^63 or 2^31
    using Signed = SignedOf<D>;
    if constexpr (kIsSigned<D>) {
      const bool fits = (x >= -kLimit) & (x < kLimit);
      const D converted = static_cast<D>(fits ? x : T(0));
      const D clamped = x >= kLimit ? largest<D>() : (x < -kLimit ? smallest<D>() : converted);
      return x == x ? clamped : nan;
    } else {
      const bool low = (x >= T(0)) & (x < kLimit);
      const bool high = (x >= kLimit) & (x < kLimit + kLimit);
      const T shifted = high ? x - kLimit : (low ? x : T(0));
      const D converted =
          static_cast<D>(static_cast<D>(static_cast<Signed>(shifted)) ^
                         (high ? UnsignedOf<D>(1) << (kWidth<D> - 1) : UnsignedOf<D>(0)));
      const D clamped = x >= kLimit + kLimit ? largest<D>() : converted;
      return x == x ? clamped : nan;
    }
  }
}

// Floats with a fraction are smaller than this; adding and subtracting it rounds them to the
// nearest even integer.
template <typename T>
inline constexpr T kNoFraction = sizeof(T) == 4 ? T(8388608.0)
                                                : T(4503599627370496.0);  // 2^23, 2^52

template <typename T>
inline T with_sign_of(T x, T sign) {
  const UnsignedOf<T> bit = UnsignedOf<T>(1) << (kWidth<T> - 1);
  return from_bits<T>((bits_of(x) & ~bit) | (bits_of(sign) & bit));
}
template <typename T>
inline T nearest_even(T x) {
  const T size = magnitude(x);
  const T rounded = (size + kNoFraction<T>)-kNoFraction<T>;
  return with_sign_of(size < kNoFraction<T> ? rounded : size, x);
}
template <typename T>
inline T truncated(T x) {
  const T size = magnitude(x);
  const T rounded = (size + kNoFraction<T>)-kNoFraction<T>;
  const T down = rounded > size ? rounded - T(1) : rounded;
  return with_sign_of(size < kNoFraction<T> ? down : size, x);
}

struct NearestTo {
  template <typename D, typename T>
  static D of(T x) {
    return integer_from<D>(nearest_even(x));
  }
};
struct TruncatedTo {
  template <typename D, typename T>
  static D of(T x) {
    return integer_from<D>(truncated(x));
  }
};
struct FloorTo {
  template <typename D, typename T>
  static D of(T x) {
    const T whole = truncated(x);
    return integer_from<D>(x < whole ? whole - T(1) : whole);
  }
};
struct CeilingTo {
  template <typename D, typename T>
  static D of(T x) {
    const T whole = truncated(x);
    return integer_from<D>(x > whole ? with_sign_of(whole + T(1), x) : whole);
  }
};

// Between f32 and f64 the host propagates NaNs as the hardware does: truncated or extended, and
// made quiet. bf16 to f32 is a copy.
struct Narrow {
  template <typename D, typename S>
  static D of(S a) {
    if constexpr (kIsFloat<D>)
      return static_cast<D>(a);
    else
      return half_from_float<D>(a);
  }
};
struct Widen {
  template <typename D, typename S>
  static D of(S a) {
    if constexpr (kIsFloat<S>)
      return static_cast<D>(a);
    else if constexpr (sizeof(a.bits) == 2 && std::is_assignable_v<Bf16&, S>)
      return float_from_half(a);
    else
      return canonical(float_from_half(a));
  }
};

}  // namespace warpshop::emulator::WARPSHOP_LANES
