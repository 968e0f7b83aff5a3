// The arithmetic of atomics and reductions, of lanes or in bulk. PTX ISA §9.7.13 "atom", "red".
#pragma once

#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "lanes/lane_half.h"

namespace warpshop::emulator::atomic_arithmetic {

struct F32 {
  using Bits = uint32_t;
  using Value = float;
};
struct F64 {
  using Bits = uint64_t;
  using Value = double;
};

template <typename Bits, typename Value>
Value value_of(Bits bits) {
  Value value;
  std::memcpy(&value, &bits, sizeof value);
  return value;
}
template <typename Bits, typename Value>
Bits bits_of(Value value) {
  Bits bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

// New value of the word from the old one and the operands, all as raw bits.
struct Add {
  template <typename T>
  static T apply(T old, T b, T) {
    using Unsigned = std::make_unsigned_t<T>;  // sums wrap around
    return static_cast<T>(static_cast<Unsigned>(old) + static_cast<Unsigned>(b));
  }
};
struct Min {
  template <typename T>
  static T apply(T old, T b, T) {
    return b < old ? b : old;
  }
};
struct Max {
  template <typename T>
  static T apply(T old, T b, T) {
    return old < b ? b : old;
  }
};
// "inc" and "dec" are for .u32 alone.
template <typename T>
inline constexpr bool kWraps = std::is_same_v<T, uint32_t>;
struct Inc {
  template <typename T>
  static T apply(T old, T b, T) {
    return old >= b ? T{0} : static_cast<T>(old + 1);
  }
};
struct Dec {
  template <typename T>
  static T apply(T old, T b, T) {
    return old == 0 || old > b ? b : static_cast<T>(old - 1);
  }
};
struct And {
  template <typename T>
  static T apply(T old, T b, T) {
    return old & b;
  }
};
struct Or {
  template <typename T>
  static T apply(T old, T b, T) {
    return old | b;
  }
};
struct Xor {
  template <typename T>
  static T apply(T old, T b, T) {
    return old ^ b;
  }
};
struct Exchange {
  template <typename T>
  static T apply(T, T b, T) {
    return b;
  }
};
struct CompareAndSwap {
  template <typename T>
  static T apply(T old, T b, T c) {
    return old == b ? c : old;
  }
};
template <typename Format>
struct FloatAdd {
  using Bits = typename Format::Bits;
  static Bits apply(Bits old, Bits b, Bits) {
    using Value = typename Format::Value;
    const Value sum = value_of<Bits, Value>(old) + value_of<Bits, Value>(b);
    if (std::isnan(sum))
      return sizeof(Bits) == 4 ? Bits{0x7fffffffu} : static_cast<Bits>(0x7fffffffffffffffu);
    return bits_of<Bits, Value>(sum);
  }
};

// atom.add.f32 on global memory flushes subnormal inputs and results to zero of the same sign; on
// shared memory it does not. PTX ISA "atom", notes.
struct FlushingFloatAdd {
  using Word = uint32_t;
  static uint32_t flushed(uint32_t bits) {
    return (bits & 0x7f800000u) == 0 ? bits & 0x80000000u : bits;
  }
  static uint32_t apply(uint32_t old, uint32_t b, uint32_t c) {
    return flushed(FloatAdd<F32>::apply(flushed(old), flushed(b), c));
  }
};

namespace half = WARPSHOP_LANES;

struct HalfSum {
  static float of(float a, float b) { return a + b; }
};
// A number beats a NaN, and -0 < +0: PTX ISA "min", "max" of floats.
struct HalfLeast {
  static float of(float a, float b) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return std::signbit(a) ? a : b;
    return a < b ? a : b;
  }
};
struct HalfMost {
  static float of(float a, float b) {
    if (a != a) return b;
    if (b != b) return a;
    if (a == b) return std::signbit(a) ? b : a;
    return a > b ? a : b;
  }
};

// f32 is wide enough that rounding a sum of two halves twice is the same as rounding it once: its
// 24 bits are at least 2 × 11 + 2.
template <typename Half, typename Operation>
struct OnHalf {
  using Word = uint16_t;
  static Word apply(Word old, Word b, Word) {
    return half::half_from_float<Half>(
               Operation::of(half::float_from_half(Half{old}), half::float_from_half(Half{b})))
        .bits;
  }
};

}  // namespace warpshop::emulator::atomic_arithmetic
