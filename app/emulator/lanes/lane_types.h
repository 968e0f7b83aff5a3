// The C++ types of a lane's value in lane-wise operations, named as in ptx/instructions.def.
//
// WARPSHOP_LANES names the namespace of everything compiled for one instruction set of the host:
// each has its own copy of the same templates, and the linker must never mix them. For the same
// reason these headers call no functions of the standard library, only the compiler's built-ins.
#pragma once

#include <cstdint>

#ifndef WARPSHOP_LANES
#define WARPSHOP_LANES lanes_base
#endif

namespace warpshop::emulator::WARPSHOP_LANES {

using U8 = uint8_t;
using U16 = uint16_t;
using U32 = uint32_t;
using U64 = uint64_t;
using S8 = int8_t;
using S16 = int16_t;
using S32 = int32_t;
using S64 = int64_t;
using B16 = uint16_t;
using B32 = uint32_t;
using B64 = uint64_t;
using F32 = float;
using F64 = double;
struct F16 {
  uint16_t bits;
};
struct Bf16 {
  uint16_t bits;
};
struct F16x2 {
  uint32_t bits;
};
struct Bf16x2 {
  uint32_t bits;
};
struct B128;  // see lane_hot_bits.cc: its register is two arrays
struct Pred;  // a predicate: one bit of a word
struct Imm;   // an immediate, from MicroOp::imm

template <typename T>
inline constexpr bool kIsFloat = false;
template <>
inline constexpr bool kIsFloat<float> = true;
template <>
inline constexpr bool kIsFloat<double> = true;

template <typename T>
inline constexpr bool kIsHalf = false;  // 16-bit floats
template <>
inline constexpr bool kIsHalf<F16> = true;
template <>
inline constexpr bool kIsHalf<Bf16> = true;

template <typename T>
inline constexpr bool kIsHalfPair = false;
template <>
inline constexpr bool kIsHalfPair<F16x2> = true;
template <>
inline constexpr bool kIsHalfPair<Bf16x2> = true;

template <typename T>
inline constexpr bool kIsInteger = !kIsFloat<T> && !kIsHalf<T> && !kIsHalfPair<T>;

template <typename T>
inline constexpr bool kIsSigned = kIsInteger<T>&& T(-1) < T(0);
template <>
inline constexpr bool kIsSigned<F16> = false;
template <>
inline constexpr bool kIsSigned<Bf16> = false;
template <>
inline constexpr bool kIsSigned<F16x2> = false;
template <>
inline constexpr bool kIsSigned<Bf16x2> = false;

template <typename T>
struct HalfOfPair;
template <>
struct HalfOfPair<F16x2> {
  using Type = F16;
};
template <>
struct HalfOfPair<Bf16x2> {
  using Type = Bf16;
};

// Integers by size and sign.
template <int kBytes>
struct IntegerOfSize;
template <>
struct IntegerOfSize<1> {
  using Unsigned = uint8_t;
  using Signed = int8_t;
};
template <>
struct IntegerOfSize<2> {
  using Unsigned = uint16_t;
  using Signed = int16_t;
};
template <>
struct IntegerOfSize<4> {
  using Unsigned = uint32_t;
  using Signed = int32_t;
};
template <>
struct IntegerOfSize<8> {
  using Unsigned = uint64_t;
  using Signed = int64_t;
};
template <typename T>
using UnsignedOf = typename IntegerOfSize<sizeof(T)>::Unsigned;
template <typename T>
using SignedOf = typename IntegerOfSize<sizeof(T)>::Signed;

template <typename T>
inline constexpr int kWidth = static_cast<int>(sizeof(T) * 8);

// The type twice as wide, of the same sign.
template <typename T>
struct WiderOf;
template <>
struct WiderOf<uint16_t> {
  using Type = uint32_t;
};
template <>
struct WiderOf<int16_t> {
  using Type = int32_t;
};
template <>
struct WiderOf<uint32_t> {
  using Type = uint64_t;
};
template <>
struct WiderOf<int32_t> {
  using Type = int64_t;
};
template <>
struct WiderOf<uint64_t> {
  using Type = unsigned __int128;
};
template <>
struct WiderOf<int64_t> {
  using Type = __int128;
};
template <typename T>
using Wider = typename WiderOf<T>::Type;

template <typename T>
inline UnsignedOf<T> bits_of(T value) {
  return __builtin_bit_cast(UnsignedOf<T>, value);
}
template <typename T>
inline T from_bits(UnsignedOf<T> bits) {
  return __builtin_bit_cast(T, bits);
}

}  // namespace warpshop::emulator::WARPSHOP_LANES
