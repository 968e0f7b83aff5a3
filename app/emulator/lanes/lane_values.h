// Rules of values that lane operations share: integer ranges, NaNs, subnormal numbers, saturation.
#pragma once

#include "lanes/lane_half.h"
#include "lanes/lane_types.h"

namespace warpshop::emulator::WARPSHOP_LANES {

// ---- Integers. PTX ISA §9.7.1 -------------------------------------------------------------------

// Unsigned, and wide enough not to be promoted to a signed int.
template <typename T>
using Arithmetic =
    typename IntegerOfSize<(sizeof(T) < 4 ? 4 : static_cast<int>(sizeof(T)))>::Unsigned;
template <typename T>
inline Arithmetic<T> raw(T value) {
  return static_cast<Arithmetic<T>>(value);
}
template <typename T>
inline T smallest() {
  return kIsSigned<T> ? static_cast<T>(UnsignedOf<T>(1) << (kWidth<T> - 1)) : T(0);
}
template <typename T>
inline T largest() {
  return static_cast<T>(~smallest<T>());
}
template <typename T>
inline bool is_negative(T value) {
  return value < T(0);
}

// The nearest value of D, for integer sources of at most 64 bits.
template <typename D, typename S>
inline D saturated(S value) {
  using Wide = __int128;
  const Wide wide = value;
  if (wide < static_cast<Wide>(smallest<D>())) return smallest<D>();
  if (wide > static_cast<Wide>(largest<D>())) return largest<D>();
  return static_cast<D>(value);
}

// ---- Floats. PTX ISA §9.7.3 ---------------------------------------------------------------------

inline float canonical(float x) { return x == x ? x : from_bits<float>(0x7fffffffu); }

// The NaN of a result: f32 has only one; f64 propagates the first NaN among its sources, made
// quiet, with the most important source last. Measured on an H200.
template <typename... S>
inline float with_nan_of(float result, S...) {
  return canonical(result);
}
inline double quiet(double nan) { return from_bits<double>(bits_of(nan) | 0x0008000000000000u); }
inline double chosen_nan() { return from_bits<double>(0xfff8000000000000u); }
template <typename... S>
inline double chosen_nan(double source, S... more) {
  const double others = chosen_nan(more...);
  return source == source ? others : quiet(source);
}
template <typename... S>
inline double with_nan_of(double result, S... sources) {
  return result == result ? result : chosen_nan(sources...);
}

inline float flush(float x) {  // subnormals become zero of the same sign
  const uint32_t bits = bits_of(x);
  return from_bits<float>((bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits);
}
inline F16 flush(F16 x) {
  return {static_cast<uint16_t>((x.bits & 0x7c00) == 0 ? x.bits & 0x8000 : x.bits)};
}
inline Bf16 flush(Bf16 x) {
  return {static_cast<uint16_t>((x.bits & 0x7f80) == 0 ? x.bits & 0x8000 : x.bits)};
}
inline float sign_alone(float x) { return from_bits<float>(bits_of(x) & 0x80000000u); }
inline F16 sign_alone(F16 x) { return {static_cast<uint16_t>(x.bits & 0x8000)}; }
template <typename T>
inline T flush(T x) {
  return x;  // .ftz only applies to floats of at most 32 bits
}

template <typename T>
inline T magnitude(T x) {
  return from_bits<T>(bits_of(x) & static_cast<UnsignedOf<T>>(~UnsignedOf<T>(0) >> 1));
}

// .ftz tests a result before denormalisation: one that was rounded up to the smallest normal number
// is flushed as well. Such an operation has scaled(…), which returns the result times kScale,
// without subnormal numbers, for sources for which of(…) returns the smallest normal number.
template <typename T>
inline constexpr float kScale = 18446744073709551616.0f;  // 2^64
template <>
inline constexpr float kScale<F16> = 256.0f;
inline bool was_subnormal(float result, float scaled) {
  return (bits_of(result) & 0x7fffffffu) == 0x00800000u &&
         magnitude(scaled) < 2.1684043449710089e-19f;  // 2^-62
}
inline bool was_subnormal(F16 result, F16 scaled) {
  return (result.bits & 0x7fff) == 0x0400 && (scaled.bits & 0x7fff) < 0x2400;  // 2^-14, 2^-6
}

inline float saturate(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }  // NaN: +0
inline double saturate(double x) { return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0; }
template <typename H>
inline H saturate(H x) {
  return half_from_float<H>(saturate(float_from_half(x)));
}

// ---- Rounding -----------------------------------------------------------------------------------

#ifdef WARPSHOP_ROUNDS_IN_SOFTWARE  // lane_round.cc, where the host only rounds to nearest
inline thread_local Direction direction = kToNearest;
template <typename T>
inline T sum(T a, T b) {
  return directed::sum(a, b, direction);
}
template <typename T>
inline T difference(T a, T b) {
  return directed::sum(a, -b, direction);
}
template <typename T>
inline T product(T a, T b) {
  return directed::product(a, b, direction);
}
template <typename T>
inline T quotient(T a, T b) {
  return directed::quotient(a, b, direction);
}
template <typename T>
inline T square_root(T a) {
  return directed::root(a, direction);
}
template <typename T>
inline T fused(T a, T b, T c) {
  return directed::fused(a, b, c, direction);
}
#else
template <typename T>
inline T sum(T a, T b) {
  return a + b;
}
template <typename T>
inline T difference(T a, T b) {
  return a - b;
}
template <typename T>
inline T product(T a, T b) {
  return a * b;
}
template <typename T>
inline T quotient(T a, T b) {
  return a / b;
}
inline float square_root(float a) { return __builtin_sqrtf(a); }
inline double square_root(double a) { return __builtin_sqrt(a); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float fused(float a, float b, float c) {
#if defined(__FMA__) || defined(__aarch64__) || defined(WARPSHOP_FMA_OF_LIBRARY)
  return __builtin_fmaf(a, b, c);
#else
  // The product is exact in double. The sum is rounded to odd: its last bit records lost bits, so
  // that the second rounding, to float, knows on which side of a tie it is. Boldo, Melquiond:
  // "Emulation of FMA and correctly rounded sums: proved algorithms using rounding to odd", IEEE
  // Transactions on Computers 57 (2008).
  return static_cast<float>(
      sum_to_odd(static_cast<double>(a) * static_cast<double>(b), static_cast<double>(c)));
#endif
}
#endif

}  // namespace warpshop::emulator::WARPSHOP_LANES
