// Lane operations: the less frequent integer and bit operations. They follow the pseudocode of
// PTX ISA §9.7.1, "Integer Arithmetic Instructions".
#pragma once

#include "lanes/lane_ops.h"

namespace warpshop::emulator::WARPSHOP_LANES {

struct AddSat {
  template <typename D>
  static D of(D a, D b) {
    return saturated<D>(static_cast<S64>(a) + b);
  }
};
struct SubSat {
  template <typename D>
  static D of(D a, D b) {
    return saturated<D>(static_cast<S64>(a) - b);
  }
};
struct MadHiSat {
  template <typename D>
  static D of(D a, D b, D c) {
    return saturated<D>(static_cast<S64>(MulHi::of<D>(a, b)) + c);
  }
};
struct Sad {
  template <typename D>
  static D of(D a, D b, D c) {
    return static_cast<D>(raw(c) + (a < b ? raw(b) - raw(a) : raw(a) - raw(b)));
  }
};

inline U32 low24(U32 a) { return a & 0xffffffu; }
inline S32 low24(S32 a) { return static_cast<S32>(static_cast<U32>(a) << 8) >> 8; }
template <typename D>
inline Wider<D> product24(D a, D b) {
  return static_cast<Wider<D>>(low24(a)) * static_cast<Wider<D>>(low24(b));
}
struct Mul24Lo {
  template <typename D>
  static D of(D a, D b) {
    return static_cast<D>(product24(a, b));
  }
};
struct Mul24Hi {
  template <typename D>
  static D of(D a, D b) {
    return static_cast<D>(product24(a, b) >> 16);
  }
};
struct Mad24Lo {
  template <typename D>
  static D of(D a, D b, D c) {
    return Add::of<D>(Mul24Lo::of<D>(a, b), c);
  }
};
struct Mad24Hi {
  template <typename D>
  static D of(D a, D b, D c) {
    return Add::of<D>(Mul24Hi::of<D>(a, b), c);
  }
};
struct Mad24HiSat {
  template <typename D>
  static D of(D a, D b, D c) {
    return saturated<D>(static_cast<S64>(Mul24Hi::of<D>(a, b)) + c);
  }
};

struct Popc {
  template <typename D, typename S>
  static D of(S a) {
    return static_cast<D>(__builtin_popcountll(a));
  }
};
template <typename S>
inline U32 leading_zeros(S a) {
  return a == 0 ? kWidth<S> : static_cast<U32>(__builtin_clzll(a)) - (64 - kWidth<S>);
}
struct Clz {
  template <typename D, typename S>
  static D of(S a) {
    return leading_zeros(a);
  }
};
struct Bfind {  // the highest bit that differs from the sign; all ones if none does
  template <typename D, typename S>
  static D of(S a) {
    const UnsignedOf<S> bits = static_cast<UnsignedOf<S>>(is_negative(a) ? ~a : a);
    return static_cast<D>(kWidth<S> - 1) - leading_zeros(bits);
  }
};
struct BfindShift {
  template <typename D, typename S>
  static D of(S a) {
    const D found = Bfind::of<D>(a);
    return found == static_cast<D>(-1) ? found : static_cast<D>(kWidth<S> - 1) - found;
  }
};
struct Fns {  // the |offset|-th set bit, from position `base` upwards or downwards
  template <typename D>
  static D of(B32 mask, U32 base, S32 offset) {
    if (base > 31) return offset == smallest<S32>() ? 0 : static_cast<D>(-1);
    if (offset == 0) return mask >> base & 1 ? base : static_cast<D>(-1);
    if (offset == smallest<S32>()) return 0;  // measured on an H200
    const int step = offset > 0 ? 1 : -1;
    U32 left = offset > 0 ? static_cast<U32>(offset) : 0 - static_cast<U32>(offset);
    for (int position = static_cast<int>(base); position >= 0 && position < 32; position += step) {
      if ((mask >> position & 1) != 0 && --left == 0) return static_cast<D>(position);
    }
    return static_cast<D>(-1);
  }
};
struct Brev {
  template <typename D>
  static D of(D a) {
    U64 bits = a;
    bits = (bits >> 1 & 0x5555555555555555u) | (bits & 0x5555555555555555u) << 1;
    bits = (bits >> 2 & 0x3333333333333333u) | (bits & 0x3333333333333333u) << 2;
    bits = (bits >> 4 & 0x0f0f0f0f0f0f0f0fu) | (bits & 0x0f0f0f0f0f0f0f0fu) << 4;
    return static_cast<D>(__builtin_bswap64(bits) >> (64 - kWidth<D>));
  }
};
// The lowest n bits; n may exceed the width of the type.
template <typename T>
inline T low_bits(U32 n) {
  return n >= kWidth<T> ? static_cast<T>(-1) : static_cast<T>((T(1) << n) - 1);
}
// For position and length, the 32-bit forms use eight bits, the 64-bit ones all: measured on an
// H200.
template <typename D>
inline U64 field_number(U32 number) {
  return sizeof(D) == 4 ? number & 0xff : number;
}
template <typename U>
inline U field_mask(U64 length) {
  return low_bits<U>(static_cast<U32>(length < kWidth<U> ? length : kWidth<U>));
}
struct Bfe {
  template <typename D>
  static D of(D a, U32 position32, U32 length32) {
    using U = UnsignedOf<D>;
    const U64 position = field_number<D>(position32);
    const U64 length = field_number<D>(length32);
    if (length == 0) return 0;
    const U64 last = position + length - 1 < kWidth<D> ? position + length - 1 : kWidth<D> - 1;
    const bool ones = kIsSigned<D> && (static_cast<U>(a) >> last & 1) != 0;
    const U field = position < kWidth<D> ? static_cast<U>(static_cast<U>(a) >> position) : U(0);
    const U64 inside = position < kWidth<D> ? kWidth<D> - position : 0;
    const U kept = field_mask<U>(length < inside ? length : inside);
    return static_cast<D>((field & kept) | (ones ? static_cast<U>(~kept) : U(0)));
  }
};
struct Bfi {
  template <typename D>
  static D of(D a, D b, U32 position32, U32 length32) {
    const U64 position = field_number<D>(position32);
    if (position >= kWidth<D>) return b;
    const D kept = static_cast<D>(field_mask<D>(field_number<D>(length32)) << position);
    return static_cast<D>((a << position & kept) | (b & ~kept));
  }
};
template <typename D>
inline D extended_from(D a, U32 width) {
  if (width == 0) return 0;
  const U32 shift = 32 - width;
  return static_cast<D>(static_cast<D>(static_cast<U32>(a) << shift) >> shift);
}
struct SzextClamp {
  template <typename D>
  static D of(D a, U32 width) {
    return extended_from(a, width < 32 ? width : 32);
  }
};
struct SzextWrap {
  template <typename D>
  static D of(D a, U32 width) {
    return extended_from(a, width & 31);
  }
};
struct BmskClamp {
  template <typename D>
  static D of(U32 position, U32 width) {
    return position >= 32 ? 0 : low_bits<U32>(width) << position;
  }
};
struct BmskWrap {
  template <typename D>
  static D of(U32 position, U32 width) {
    return low_bits<U32>(width & 31) << (position & 31);
  }
};

// prmt: bytes 0 to 3 are a's, 4 to 7 are b's; bit 3 of a selector replicates the byte's sign.
inline B32 permuted(B32 a, B32 b, U32 selectors) {
  const U64 bytes = static_cast<U64>(b) << 32 | a;
  B32 result = 0;
  for (int place = 0; place < 4; ++place) {
    const U32 selector = selectors >> (4 * place) & 0xf;
    U32 byte = static_cast<U32>(bytes >> (8 * (selector & 7))) & 0xff;
    if ((selector & 8) != 0) byte = (byte & 0x80) != 0 ? 0xff : 0;
    result |= byte << (8 * place);
  }
  return result;
}
struct Prmt {
  template <typename D>
  static D of(B32 a, B32 b, U32 c) {
    return permuted(a, b, c);
  }
};
// The modes: one selector for each value of c's lowest two bits. PTX ISA §9.7.9 "prmt".
template <U32 k0, U32 k1, U32 k2, U32 k3>
struct PrmtMode {
  template <typename D>
  static D of(B32 a, B32 b, U32 c) {
    constexpr U32 kSelectors[] = {k0, k1, k2, k3};
    return permuted(a, b, kSelectors[c & 3]);
  }
};
using PrmtForward = PrmtMode<0x3210, 0x4321, 0x5432, 0x6543>;
using PrmtBackward = PrmtMode<0x5670, 0x6701, 0x7012, 0x0123>;
using PrmtReplicate8 = PrmtMode<0x0000, 0x1111, 0x2222, 0x3333>;
using PrmtEdgeLeft = PrmtMode<0x3210, 0x3211, 0x3222, 0x3333>;
using PrmtEdgeRight = PrmtMode<0x0000, 0x1110, 0x2210, 0x3210>;
using PrmtReplicate16 = PrmtMode<0x1010, 0x3232, 0x1010, 0x3232>;

// Dot products of bytes with bytes, and of halfwords with bytes.
struct UnsignedUnsigned {
  static constexpr bool kA = false, kB = false;
};
struct UnsignedSigned {
  static constexpr bool kA = false, kB = true;
};
struct SignedUnsigned {
  static constexpr bool kA = true, kB = false;
};
struct SignedSigned {
  static constexpr bool kA = true, kB = true;
};
template <bool kSigned>
inline U32 byte_of(B32 word, int place) {
  const U32 byte = word >> (8 * place) & 0xff;
  return kSigned ? static_cast<U32>(static_cast<S32>(static_cast<S8>(byte))) : byte;
}
template <bool kSigned>
inline U32 half_of(B32 word, int place) {
  const U32 half = word >> (16 * place) & 0xffff;
  return kSigned ? static_cast<U32>(static_cast<S32>(static_cast<S16>(half))) : half;
}
template <typename Signs>
struct Dp4a {
  template <typename D>
  static D of(B32 a, B32 b, D c) {
    U32 sum = static_cast<U32>(c);
    for (int place = 0; place < 4; ++place)
      sum += byte_of<Signs::kA>(a, place) * byte_of<Signs::kB>(b, place);
    return static_cast<D>(sum);
  }
};
template <typename Signs>
struct Dp2aLo {
  template <typename D>
  static D of(B32 a, B32 b, D c) {
    return static_cast<D>(static_cast<U32>(c) +
                          half_of<Signs::kA>(a, 0) * byte_of<Signs::kB>(b, 0) +
                          half_of<Signs::kA>(a, 1) * byte_of<Signs::kB>(b, 1));
  }
};
template <typename Signs>
struct Dp2aHi {
  template <typename D>
  static D of(B32 a, B32 b, D c) {
    return Dp2aLo<Signs>::template of<D>(a, b >> 16, c);
  }
};

// cvt.pack: PTX ISA §9.7.9 "cvt.pack".
struct U4;
struct S4;
struct U2;
struct S2;
template <typename T>
struct PackRange {
  static constexpr int kWide = kWidth<T>,
                       kLeast = static_cast<int>(T(-1) < T(0) ? -(1 << (kWide - 1)) : 0);
};
template <>
struct PackRange<U4> {
  static constexpr int kWide = 4, kLeast = 0;
};
template <>
struct PackRange<S4> {
  static constexpr int kWide = 4, kLeast = -8;
};
template <>
struct PackRange<U2> {
  static constexpr int kWide = 2, kLeast = 0;
};
template <>
struct PackRange<S2> {
  static constexpr int kWide = 2, kLeast = -2;
};
template <typename T>
struct PackSat {
  static U32 field(S32 x) {
    using Range = PackRange<T>;
    const S32 most = Range::kLeast + ((1 << Range::kWide) - 1);
    return static_cast<U32>(x < Range::kLeast ? Range::kLeast : (x > most ? most : x)) &
           ((1u << Range::kWide) - 1);
  }
  template <typename D>
  static D of(S32 a, S32 b) {
    return field(a) << PackRange<T>::kWide | field(b);
  }
  template <typename D>
  static D of(S32 a, S32 b, B32 c) {
    return c << (2 * PackRange<T>::kWide) | of<D>(a, b);
  }
};

// ---- Wrappers -----------------------------------------------------------------------------------

template <typename T>
struct HalfIntegerOf;
template <>
struct HalfIntegerOf<U32> {
  using Type = U16;
};
template <>
struct HalfIntegerOf<S32> {
  using Type = S16;
};
template <typename Op>  // .u16x2, .s16x2
struct Halves {
  template <typename D, typename... S>
  static D of(S... sources) {
    using H = typename HalfIntegerOf<D>::Type;
    const U32 low = static_cast<U16>(Op::template of<H>(static_cast<H>(sources)...));
    const U32 high =
        static_cast<U16>(Op::template of<H>(static_cast<H>(static_cast<U32>(sources) >> 16)...));
    return static_cast<D>(high << 16 | low);
  }
};
template <typename Op>  // .f32x2
struct Pairs {
  static constexpr int kRounding = kRoundingOf<Op>;
  template <typename D, typename... S>
  static D of(S... sources) {
    const U32 low = bits_of(Op::template of<float>(from_bits<float>(static_cast<U32>(sources))...));
    const U32 high =
        bits_of(Op::template of<float>(from_bits<float>(static_cast<U32>(sources >> 32))...));
    return static_cast<U64>(high) << 32 | low;
  }
};
template <typename Op>  // .relu: negative results become 0
struct Relu {
  template <typename D, typename... S>
  static D of(S... sources) {
    const D result = Op::template of<D>(sources...);
    if constexpr (kIsHalf<D>) {
      const float value = float_from_half(result);
      return value > 0.0f || value != value ? result : D{0};
    } else {
      return result > D(0) ? result : D(0);
    }
  }
  template <typename D, typename... S>
  static D scaled(S... sources) requires requires {
    Op::template scaled<D>(sources...);
  }
  { return Op::template scaled<D>(sources...); }
};
template <typename Op>  // .xorsign.abs: on the magnitudes, with the product's sign
struct XorSign {
  template <typename D>
  static D of(D a, D b) {
    if constexpr (kIsHalf<D>) {
      return in_float<XorSign>(a, b);
    } else {
      const UnsignedOf<D> sign = UnsignedOf<D>(1) << (kWidth<D> - 1);
      const D result =
          Op::template of<D>(from_bits<D>(bits_of(a) & ~sign), from_bits<D>(bits_of(b) & ~sign));
      return with_nan_of(from_bits<D>(bits_of(result) | ((bits_of(a) ^ bits_of(b)) & sign)));
    }
  }
};
template <typename Op>
struct Three {
  template <typename D>
  static D of(D a, D b, D c) {
    return Op::template of<D>(Op::template of<D>(a, b), c);
  }
};
template <typename Op>
struct OfAbs {
  template <typename D, typename... S>
  static D of(S... sources) {
    return Op::template of<D>(Abs::of<S>(sources)...);
  }
};
template <typename Op>
struct FtzOfLast {
  template <typename D, typename C>
  static D of(D a, D b, C c) {
    return Op::template of<D>(a, b, flush(c));
  }
};
struct Copysign {  // the sign of a, the rest of b
  template <typename D>
  static D of(D a, D b) {
    const UnsignedOf<D> sign = UnsignedOf<D>(1) << (kWidth<D> - 1);
    return from_bits<D>((bits_of(a) & sign) | (bits_of(b) & ~sign));
  }
};

}  // namespace warpshop::emulator::WARPSHOP_LANES
