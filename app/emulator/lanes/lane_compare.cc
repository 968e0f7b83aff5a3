// Handlers of unit Compare: comparisons with a predicate, set, testp, those of 16-bit floats, lop3
// with a predicate. PTX ISA §9.7.6, §9.7.7. Each comparison is a function from two registers to a
// word of bits (two words for pairs); the handling of this word is shared.
#include "lanes/lane_once.h"
#include "lanes/lane_ops.h"
#include "lanes/lane_tables.h"

namespace warpshop::emulator::lanes_base {

template <typename Op>
struct WithAnd;
template <typename Op>
struct WithOr;
template <typename Op>
struct WithXor;

#define COMPARE_AS_FLOAT(sign) \
  template <typename H>        \
  requires kIsHalf<H>          \
  inline bool operator sign(H a, H b) { return float_from_half(a) sign float_from_half(b); }
COMPARE_AS_FLOAT(==)
COMPARE_AS_FLOAT(!=)
COMPARE_AS_FLOAT(<)
COMPARE_AS_FLOAT(<=)
COMPARE_AS_FLOAT(>)
COMPARE_AS_FLOAT(>=)

// testp. PTX ISA §9.7.3.1
template <typename T>
inline constexpr UnsignedOf<T> kInfinity = sizeof(T) == 4 ? UnsignedOf<T>(0x7f800000u)
                                                          : UnsignedOf<T>(0x7ff0000000000000u);
template <typename T>
inline constexpr UnsignedOf<T> kLeastNormal = sizeof(T) == 4 ? UnsignedOf<T>(1) << 23
                                                             : UnsignedOf<T>(0x0010000000000000u);
template <typename T>
inline UnsignedOf<T> magnitude_bits(T x) {
  return bits_of(x) & static_cast<UnsignedOf<T>>(~UnsignedOf<T>(0) >> 1);
}
struct IsFinite {
  template <typename D, typename T>
  static bool of(T x) {
    return magnitude_bits(x) < kInfinity<T>;
  }
};
struct IsInfinite {
  template <typename D, typename T>
  static bool of(T x) {
    return magnitude_bits(x) == kInfinity<T>;
  }
};
struct IsNumber {
  template <typename D, typename T>
  static bool of(T x) {
    return magnitude_bits(x) <= kInfinity<T>;
  }
};
struct IsNotANumber {
  template <typename D, typename T>
  static bool of(T x) {
    return magnitude_bits(x) > kInfinity<T>;
  }
};
struct IsNormal {  // includes zero, measured on an H200
  template <typename D, typename T>
  static bool of(T x) {
    return magnitude_bits(x) < kInfinity<T> &&
           (magnitude_bits(x) == 0 || magnitude_bits(x) >= kLeastNormal<T>);
  }
};
struct IsSubnormal {
  template <typename D, typename T>
  static bool of(T x) {
    return magnitude_bits(x) != 0 && magnitude_bits(x) < kLeastNormal<T>;
  }
};

namespace {

// Both halves' bits; `high` is used only for pairs.
struct Words {
  uint32_t low = 0;
  uint32_t high = 0;
};

template <typename Op, typename T>
[[gnu::noinline]] Words compare(LaneState& state, const MicroOp* op) {
  Words words;
  if constexpr (kIsHalfPair<T>) {
    using H = typename HalfOfPair<T>::Type;
    const uint32_t* a = lanes_at<uint32_t>(state, op->a);
    const uint32_t* b = lanes_at<uint32_t>(state, op->b);
    for (int lane = 0; lane < kLanes; ++lane) {
      const H a_low{static_cast<uint16_t>(a[lane])}, a_high{static_cast<uint16_t>(a[lane] >> 16)};
      const H b_low{static_cast<uint16_t>(b[lane])}, b_high{static_cast<uint16_t>(b[lane] >> 16)};
      if (Op::template of<bool>(a_low, b_low)) words.low |= 1u << lane;
      if (Op::template of<bool>(a_high, b_high)) words.high |= 1u << lane;
    }
  } else if constexpr (kIsHalf<T>) {
    const T* a = lanes_at<T>(state, op->a);
    const T* b = lanes_at<T>(state, op->b);
    for (int lane = 0; lane < kLanes; ++lane) {
      if (Op::template of<bool>(a[lane], b[lane])) words.low |= 1u << lane;
    }
  } else {
    words.low = bits_for_sources<Op, T, T>(state, op, Indices<0>());
  }
  return words;
}

enum class Combine { kNone, kAnd, kOr, kXor };

uint32_t combined(uint32_t word, uint32_t with, Combine how) {
  switch (how) {
    case Combine::kNone:
      return word;
    case Combine::kAnd:
      return word & with;
    case Combine::kOr:
      return word | with;
    case Combine::kXor:
      return word ^ with;
  }
  return word;
}

[[gnu::noinline]] const MicroOp* finish_setp(LaneState& state, const MicroOp* op, Words words,
                                             Combine how, bool pair) {
  const uint32_t with = how == Combine::kNone ? 0 : Source<Pred>(state, op, op->c, 2).word;
  const uint32_t second = pair ? words.high : ~words.low;
  if (op->d != kNoRegister) store_predicate(state, op->d, combined(words.low, with, how));
  if (op->e != kNoRegister) store_predicate(state, op->e, combined(second, with, how));
  return op + 1;
}

// The value that set writes where the comparison is true; zero elsewhere.
template <typename D>
inline constexpr UnsignedOf<D> kTrue = static_cast<UnsignedOf<D>>(-1);
template <>
inline constexpr uint32_t kTrue<F32> = 0x3f800000u;
template <>
inline constexpr uint16_t kTrue<F16> = 0x3c00u;
template <>
inline constexpr uint16_t kTrue<Bf16> = 0x3f80u;
template <>
inline constexpr uint32_t kTrue<F16x2> = 0x3c00u;
template <>
inline constexpr uint32_t kTrue<Bf16x2> = 0x3f80u;

template <typename U>
[[gnu::noinline]] const MicroOp* finish_set(LaneState& state, const MicroOp* op, Words words,
                                            Combine how, U value, bool pair) {
  const uint32_t with = how == Combine::kNone ? 0 : Source<Pred>(state, op, op->c, 2).word;
  const uint32_t low = combined(words.low, with, how);
  const uint32_t high = combined(words.high, with, how);
  alignas(64) U results[kLanes];
  for (int lane = 0; lane < kLanes; ++lane) {
    const U first = (low & kLaneBit[lane]) != 0 ? value : U(0);
    const U second = pair && (high & kLaneBit[lane]) != 0 ? value : U(0);
    results[lane] = static_cast<U>(first | second << (sizeof(U) == 4 ? 16 : 0));
  }
  store_lanes(state, op->d, results);
  return op + 1;
}

template <typename Op>
struct Parts {
  using Compare = Op;
  static constexpr Combine kHow = Combine::kNone;
};
template <typename Op>
struct Parts<WithAnd<Op>> {
  using Compare = Op;
  static constexpr Combine kHow = Combine::kAnd;
};
template <typename Op>
struct Parts<WithOr<Op>> {
  using Compare = Op;
  static constexpr Combine kHow = Combine::kOr;
};
template <typename Op>
struct Parts<WithXor<Op>> {
  using Compare = Op;
  static constexpr Combine kHow = Combine::kXor;
};

template <typename Op, typename T>
const MicroOp* setp_handler(Warp& warp, const MicroOp* op) {
  return finish_setp(warp, op, compare<typename Parts<Op>::Compare, T>(warp, op), Parts<Op>::kHow,
                     kIsHalfPair<T>);
}
template <typename Op, typename D, typename T>
const MicroOp* set_handler(Warp& warp, const MicroOp* op) {
  constexpr bool kPair = kIsHalfPair<T>;
  constexpr UnsignedOf<D> kValue = kPair && kIsInteger<D> ? kTrue<D> & 0xffff : kTrue<D>;
  return finish_set(warp, op, compare<typename Parts<Op>::Compare, T>(warp, op), Parts<Op>::kHow,
                    kValue, kPair);
}

// lop3.<bool> d|p, a, b, c, table, q: p = (d != 0) bool q. The offsets d and e are destinations;
// q's is the high half of `imm`, see LaneForm::far_source.
template <typename Bool>
const MicroOp* lop3_handler(Warp& warp, const MicroOp* op) {
  const B32* a = lanes_at<B32>(warp, op->a);
  const B32* b = lanes_at<B32>(warp, op->b);
  const B32* c = lanes_at<B32>(warp, op->c);
  const uint32_t with =
      predicate_at(warp, static_cast<uint32_t>(op->imm >> 32)) ^ (0u - (op->flags >> 4 & 1));
  alignas(64) B32 results[kLanes];
  uint32_t word = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    results[lane] = Lop3::of<B32>(a[lane], b[lane], c[lane], op->imm & 0xff);
    if (results[lane] != 0) word |= 1u << lane;
  }
  if (op->d != kNoRegister) store_lanes(warp, op->d, results);
  if (op->e != kNoRegister) store_predicate(warp, op->e, Bool::template of<uint32_t>(word, with));
  return op + 1;
}

template <typename Op, typename D, typename T, typename... S>
constexpr Handler compare_unit_handler() {
  if constexpr (sizeof...(S) == 0)
    return &compare_handler<Op, T>;  // testp
  else if constexpr (sizeof...(S) == 4)
    return &lop3_handler<Op>;
  else if constexpr (kIsPredicate<D>)
    return &setp_handler<Op, T>;
  else
    return &set_handler<Op, D, T>;
}

}  // namespace

#define LIST(...) __VA_ARGS__
#define ROW_Compare(form, operation, dest, sources, pipe, anchor) \
  compare_unit_handler<operation, dest, LIST sources>(),
const Handler kCompare[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::lanes_base
