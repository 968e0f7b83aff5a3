// Lane operations: integers, logic, shifts, f32 and f64. The names are those in the `operation`
// column of ptx/instructions.def. of<D>(sources…) returns the destination, of type D.
//
// Every operation is total, since inactive lanes compute as well: no input causes a division by
// zero, an oversized shift or a signed overflow on the host. The resulting NaN is the hardware's,
// not the host's.
#pragma once

#include "lanes/lane_half.h"
#include "lanes/lane_types.h"
#include "lanes/lane_values.h"

namespace warpshop::emulator::WARPSHOP_LANES {

// ---- Arithmetic ---------------------------------------------------------------------------------

// 16-bit floats: f32 has more than twice their bits plus two, so that double rounding is harmless.
template <typename Op, typename H, typename... S>
inline H in_float(H a, S... more) {
  return half_from_float<H>(Op::template of<float>(float_from_half(a), float_from_half(more)...));
}

struct Add {
  template <typename D>
  static D of(D a, D b) {
    if constexpr (kIsHalf<D>)
      return in_float<Add>(a, b);
    else if constexpr (kIsFloat<D>)
      return with_nan_of(sum(a, b), b, a);
    else
      return static_cast<D>(raw(a) + raw(b));
  }
};
struct Sub {
  template <typename D>
  static D of(D a, D b) {
    if constexpr (kIsHalf<D>)
      return in_float<Sub>(a, b);
    else if constexpr (kIsFloat<D>)
      return with_nan_of(difference(a, b), b, a);
    else
      return static_cast<D>(raw(a) - raw(b));
  }
};
struct Mul {
  template <typename D>
  static D of(D a, D b) {
    if constexpr (kIsHalf<D>)
      return in_float<Mul>(a, b);
    else if constexpr (kIsFloat<D>)
      return with_nan_of(product(a, b), b, a);
    else
      return static_cast<D>(raw(a) * raw(b));
  }
  template <typename D>
  static D scaled(D a, D b) {
    if constexpr (kIsHalf<D>) {
      return half_from_float<D>(float_from_half(a) * float_from_half(b) * kScale<D>);
    } else {
      return product(a * kScale<D>, b);
    }
  }
};
struct MulHi {
  template <typename D>
  static D of(D a, D b) {
    return static_cast<D>((static_cast<Wider<D>>(a) * static_cast<Wider<D>>(b)) >> kWidth<D>);
  }
};
struct MulWide {
  template <typename D, typename S>
  static D of(S a, S b) {
    return static_cast<D>(static_cast<D>(a) * static_cast<D>(b));
  }
};
struct Mad {
  template <typename D>
  static D of(D a, D b, D c) {
    return static_cast<D>(raw(a) * raw(b) + raw(c));
  }
};
struct MadHi {
  template <typename D>
  static D of(D a, D b, D c) {
    return Add::of<D>(MulHi::of<D>(a, b), c);
  }
};
struct MadWide {
  template <typename D, typename S>
  static D of(S a, S b, D c) {
    return Add::of<D>(MulWide::of<D>(a, b), c);
  }
};
struct Fma {
  template <typename D>
  static D of(D a, D b, D c) {
    if constexpr (kIsHalf<D>)
      return fused(a, b, c);
    else
      return with_nan_of(fused(a, b, c), b, c, a);
  }
  template <typename D>
  static D scaled(D a, D b, D c) {
    if constexpr (kIsHalf<D>) {
      return half_from_float<D>(
          sum_to_odd(float_from_half(a) * float_from_half(b), float_from_half(c)) * kScale<D>);
    } else {
      return fused(a * kScale<D>, b, c * kScale<D>);
    }
  }
};

// which ? one : other, in a form that compilers do not turn into a branch.
template <typename T>
inline T chosen(bool which, T one, T other) {
  const UnsignedOf<T> mask = static_cast<UnsignedOf<T>>(0 - static_cast<UnsignedOf<T>>(which));
  return static_cast<T>((static_cast<UnsignedOf<T>>(one) & mask) |
                        (static_cast<UnsignedOf<T>>(other) & static_cast<UnsignedOf<T>>(~mask)));
}

// A quotient of integers of at most 32 bits, computed in floats with enough bits to be exact after
// truncation: it vectorises, unlike the processor's integer division.
template <typename T>
inline T small_quotient(T a, T b) {  // b is neither 0 nor ±1
  if constexpr (sizeof(T) == 2) {
    return static_cast<T>(static_cast<int32_t>(static_cast<float>(a) / static_cast<float>(b)));
  } else if constexpr (kIsSigned<T>) {
    return static_cast<int32_t>(static_cast<double>(a) / static_cast<double>(b));
  } else {  // through signed integers, which every instruction set can convert
    const double x = static_cast<double>(static_cast<int32_t>(a ^ 0x80000000u)) + 2147483648.0;
    const double y = static_cast<double>(static_cast<int32_t>(b ^ 0x80000000u)) + 2147483648.0;
    return static_cast<T>(static_cast<int32_t>(x / y));
  }
}
// Division by zero gives all ones, measured on an H200; the manual leaves it undefined.
struct Div {
  template <typename D>
  static D of(D a, D b) {
    if constexpr (kIsFloat<D>) {
      return with_nan_of(quotient(a, b), a, b);
    } else {
      const bool one = b == 1;
      const bool minus_one = kIsSigned<D> && b == static_cast<D>(-1);
      const D divisor = chosen<D>((b == 0) | one | minus_one, D(2), b);
      D quotient;
      if constexpr (sizeof(D) < 8)
        quotient = small_quotient(a, divisor);
      else
        quotient = static_cast<D>(a / divisor);
      quotient = chosen<D>(one, a, quotient);
      quotient = chosen<D>(minus_one, static_cast<D>(0 - raw(a)), quotient);
      return chosen<D>(b == 0, static_cast<D>(-1), quotient);
    }
  }
  template <typename D>
  static D scaled(D a, D b) {
    return quotient(a * kScale<D>, b);
  }
};
struct Rem {
  template <typename D>
  static D of(D a, D b) {
    const D rest = static_cast<D>(raw(a) - raw(Div::of<D>(a, b)) * raw(b));
    return chosen<D>(b == 0, static_cast<D>(-1), rest);
  }
};

// Floats: a number beats a NaN; -0 < +0.
struct Min {
  template <typename D>
  static D of(D a, D b) {
    if constexpr (kIsHalf<D>) {
      return in_float<Min>(a, b);
    } else if constexpr (kIsFloat<D>) {
      const D smaller = a < b ? a : b;
      const D result = a == b ? from_bits<D>(bits_of(a) | bits_of(b)) : smaller;
      return with_nan_of(b == b ? (a == a ? result : b) : a, b);
    } else {
      return a < b ? a : b;
    }
  }
};
struct Max {
  template <typename D>
  static D of(D a, D b) {
    if constexpr (kIsHalf<D>) {
      return in_float<Max>(a, b);
    } else if constexpr (kIsFloat<D>) {
      const D larger = a > b ? a : b;
      const D result = a == b ? from_bits<D>(bits_of(a) & bits_of(b)) : larger;
      return with_nan_of(b == b ? (a == a ? result : b) : a, b);
    } else {
      return a > b ? a : b;
    }
  }
};
struct Abs {
  template <typename D>
  static D of(D a) {
    if constexpr (kIsHalf<D>) {
      return in_float<Abs>(a);
    } else if constexpr (kIsFloat<D>) {
      return with_nan_of(a == a ? magnitude(a) : a, a);
    } else {
      return is_negative(a) ? static_cast<D>(0 - raw(a)) : a;
    }
  }
};
struct Neg {
  template <typename D>
  static D of(D a) {
    if constexpr (kIsHalf<D>)
      return in_float<Neg>(a);
    else if constexpr (kIsFloat<D>)
      return with_nan_of(-a, a);
    else
      return static_cast<D>(0 - raw(a));
  }
};
struct Rcp {
  template <typename D>
  static D of(D a) {
    return with_nan_of(quotient(D(1), a), a);
  }
  template <typename D>
  static D scaled(D a) {
    return quotient(D(kScale<D>), a);
  }
};
struct Sqrt {
  template <typename D>
  static D of(D a) {
    return with_nan_of(square_root(a), a);
  }
};

// ---- Modifiers ----------------------------------------------------------------------------------

// The Direction of an operation's rounding. See lane_round.cc.
template <typename Op>
inline constexpr int kRoundingOf = [] {
  if constexpr (requires { Op::kRounding; })
    return Op::kRounding;
  else
    return 0;
}();

template <typename Op>
struct Ftz {
  static constexpr int kRounding = kRoundingOf<Op>;
  template <typename D, typename... S>
  static D of(S... sources) {
    const D result = Op::template of<D>(flush(sources)...);
    if constexpr (requires { was_subnormal(result, Op::template scaled<D>(sources...)); }) {
      const bool subnormal = was_subnormal(result, Op::template scaled<D>(flush(sources)...));
      return flush(subnormal ? sign_alone(result) : result);
    }
    return flush(result);
  }
};
template <typename Op>
struct Sat {
  static constexpr int kRounding = kRoundingOf<Op>;
  template <typename D, typename... S>
  static D of(S... sources) {
    return saturate(Op::template of<D>(sources...));
  }
  template <typename D, typename... S>
  static D scaled(S... sources) requires requires {
    Op::template scaled<D>(sources...);
  }
  { return Op::template scaled<D>(sources...); }
};
template <typename Op>  // .NaN: if a source is NaN, so is the result
struct Nan {
  template <typename D>
  static D of(D a, D b) {
    if constexpr (kIsHalf<D>)
      return in_float<Nan>(a, b);
    else
      return ((a == a) & (b == b)) ? Op::template of<D>(a, b) : with_nan_of(a + b, b, a);
  }
};

// ---- Logic and shifts. PTX ISA §9.7.8 -----------------------------------------------------------

struct And {
  template <typename D>
  static D of(D a, D b) {
    return static_cast<D>(a & b);
  }
};
struct Or {
  template <typename D>
  static D of(D a, D b) {
    return static_cast<D>(a | b);
  }
};
struct Xor {
  template <typename D>
  static D of(D a, D b) {
    return static_cast<D>(a ^ b);
  }
};
struct Not {
  template <typename D>
  static D of(D a) {
    return static_cast<D>(~a);
  }
};
struct Cnot {
  template <typename D>
  static D of(D a) {
    return a == 0 ? D(1) : D(0);
  }
};
struct Lop3 {
  // Bit 4a + 2b + c of the table is the result for bits a, b, c.
  static B32 pick(B32 chosen, B32 one, B32 zero) { return zero ^ (chosen & (one ^ zero)); }
  template <typename D>
  static D of(B32 a, B32 b, B32 c, uint64_t table) {
    const auto entry = [table](int bit) {
      return static_cast<B32>(0) - static_cast<B32>(table >> bit & 1);
    };
    return pick(a, pick(b, pick(c, entry(7), entry(6)), pick(c, entry(5), entry(4))),
                pick(b, pick(c, entry(3), entry(2)), pick(c, entry(1), entry(0))));
  }
};
struct Shl {
  template <typename D>
  static D of(D a, U32 amount) {
    const U32 safe = amount & (kWidth<D> - 1);
    return amount < kWidth<D> ? static_cast<D>(raw(a) << safe) : D(0);
  }
};
struct Shr {
  template <typename D>
  static D of(D a, U32 amount) {
    const U32 most = kWidth<D> - 1;
    if constexpr (kIsSigned<D>)
      return static_cast<D>(a >> (amount < most ? amount : most));
    else
      return amount <= most ? static_cast<D>(a >> (amount & most)) : D(0);
  }
};
// shf: 32 bits of the 64-bit value b:a.
struct ShfLeftClamp {
  template <typename D>
  static D of(B32 a, B32 b, U32 c) {
    const U32 n = c < 32 ? c : 32;
    return static_cast<D>((static_cast<U64>(b) << 32 | a) << n >> 32);
  }
};
struct ShfLeftWrap {
  template <typename D>
  static D of(B32 a, B32 b, U32 c) {
    return ShfLeftClamp::of<D>(a, b, c & 31);
  }
};
struct ShfRightClamp {
  template <typename D>
  static D of(B32 a, B32 b, U32 c) {
    const U32 n = c < 32 ? c : 32;
    return static_cast<D>((static_cast<U64>(b) << 32 | a) >> n);
  }
};
struct ShfRightWrap {
  template <typename D>
  static D of(B32 a, B32 b, U32 c) {
    return ShfRightClamp::of<D>(a, b, c & 31);
  }
};

// ---- Comparison and selection. PTX ISA §9.7.6 ---------------------------------------------------
// With a NaN, comparisons without u are false and those with u are true.

struct Eq {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return a == b;
  }
};
struct Ne {
  template <typename D, typename T>
  static bool of(T a, T b) {
    if constexpr (kIsInteger<T>)
      return a != b;
    else
      return (a < b) | (a > b);
  }
};
struct Lt {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return a < b;
  }
};
struct Le {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return a <= b;
  }
};
struct Gt {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return a > b;
  }
};
struct Ge {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return a >= b;
  }
};
struct Equ {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return !((a < b) | (a > b));
  }
};
struct Neu {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return !(a == b);
  }
};
struct Ltu {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return !(a >= b);
  }
};
struct Leu {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return !(a > b);
  }
};
struct Gtu {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return !(a <= b);
  }
};
struct Geu {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return !(a < b);
  }
};
struct Num {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return (a == a) & (b == b);
  }
};
struct Unordered {
  template <typename D, typename T>
  static bool of(T a, T b) {
    return !((a == a) & (b == b));
  }
};

struct Selp {
  template <typename D>
  static D of(D a, D b, bool chosen) {
    return chosen ? a : b;
  }
};
struct Slct {
  template <typename D, typename C>
  static D of(D a, D b, C c) {
    return c >= C(0) ? a : b;  // NaN: b
  }
};
struct Mov {
  template <typename D>
  static D of(D a) {
    return a;
  }
};

}  // namespace warpshop::emulator::WARPSHOP_LANES
