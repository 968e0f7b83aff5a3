// The loops over the lanes of a warp: one per shape of instruction, not one per instruction.
//
// If all lanes are active, results are stored as they are. Otherwise inactive lanes compute as
// well, and the expanded mask of LaneState selects what is kept: no branch depends on a lane.
#pragma once

#include "lanes/lane_types.h"
#include "state/micro_op.h"
#include "state/warp.h"

#if defined(__SSE2__)
#include <immintrin.h>
#elif defined(__wasm_simd128__)
#include <wasm_simd128.h>
#endif

// For loops whose lanes are independent: a destination is no source, or only its own lane's.
#if defined(__clang__)
#define WARPSHOP_EACH_LANE_ALONE _Pragma("clang loop vectorize(assume_safety)")
#else
#define WARPSHOP_EACH_LANE_ALONE _Pragma("GCC ivdep")
#endif

namespace warpshop::emulator::WARPSHOP_LANES {

inline constexpr int kLanes = 32;

// Bit l for lane l: (word & kLaneBit[l]) vectorises, unlike a shift by l.
alignas(64) inline constexpr uint32_t kLaneBit[kLanes] = {
    1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,  1u << 7,
    1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13, 1u << 14, 1u << 15,
    1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20, 1u << 21, 1u << 22, 1u << 23,
    1u << 24, 1u << 25, 1u << 26, 1u << 27, 1u << 28, 1u << 29, 1u << 30, 1u << 31};

// Storage type of a register of type T: 8-bit values are stored in 16 bits.
template <typename T>
struct RegisterOf {
  using Type = T;
};
template <>
struct RegisterOf<U8> {
  using Type = U16;
};
template <>
struct RegisterOf<S8> {
  using Type = S16;
};
template <typename T>
using Register = typename RegisterOf<T>::Type;

template <typename T>
inline T* lanes_at(LaneState& state, uint32_t offset) {
  return static_cast<T*>(__builtin_assume_aligned(state.frame + offset, 64));
}
inline uint32_t& predicate_at(LaneState& state, uint32_t offset) {
  return *reinterpret_cast<uint32_t*>(state.frame + offset);
}

// Sources: source[l] is lane l's value in type T.
template <typename T>
struct Source {
  const Register<T>* lanes;
  Source(LaneState& state, const MicroOp*, uint32_t offset, int)
      : lanes(lanes_at<Register<T>>(state, offset)) {}
  T operator[](int lane) const { return static_cast<T>(lanes[lane]); }
};
template <>
struct Source<Pred> {
  uint32_t word;
  Source(LaneState& state, const MicroOp* op, uint32_t offset, int position)
      : word(predicate_at(state, offset) ^ (0u - (op->flags >> position & 1))) {}
  bool operator[](int lane) const { return (word & kLaneBit[lane]) != 0; }
};
template <>
struct Source<Imm> {
  uint64_t value;
  Source(LaneState&, const MicroOp* op, uint32_t, int) : value(op->imm) {}
  uint64_t operator[](int) const { return value; }
};

inline uint32_t source_offset(const MicroOp* op, int position) {
  return position == 0 ? op->a : position == 1 ? op->b : position == 2 ? op->c : op->e;
}

// All ones, as wide as T, if the lane is active.
template <typename T>
inline UnsignedOf<T> merge_mask(const LaneState& state, int lane) {
  return static_cast<UnsignedOf<T>>(
      static_cast<SignedOf<T>>(static_cast<int32_t>(state.lane_mask[lane])));
}
template <typename T>
inline T merged(T result, T before, UnsignedOf<T> mask) {
  return from_bits<T>(
      static_cast<UnsignedOf<T>>((bits_of(result) & mask) | (bits_of(before) & ~mask)));
}
inline void store_predicate(LaneState& state, uint32_t offset, uint32_t word) {
  uint32_t& before = predicate_at(state, offset);
  before = (word & state.mask) | (before & ~state.mask);
}

template <int... kIndex>
struct Indices {};
template <typename... S>
struct IndicesOf;
template <>
struct IndicesOf<> {
  using Type = Indices<>;
};
template <typename A>
struct IndicesOf<A> {
  using Type = Indices<0>;
};
template <typename A, typename B>
struct IndicesOf<A, B> {
  using Type = Indices<0, 1>;
};
template <typename A, typename B, typename C>
struct IndicesOf<A, B, C> {
  using Type = Indices<0, 1, 2>;
};
template <typename A, typename B, typename C, typename D>
struct IndicesOf<A, B, C, D> {
  using Type = Indices<0, 1, 2, 3>;
};

// d[l] = op(sources[l]…).
template <typename Op, typename D, typename... S>
inline void for_lanes(LaneState& state, uint32_t offset, S... sources) {
  Register<D>* d = lanes_at<Register<D>>(state, offset);
  if (state.full) [[likely]] {
    WARPSHOP_EACH_LANE_ALONE
    for (int lane = 0; lane < kLanes; ++lane) {
      d[lane] = static_cast<Register<D>>(Op::template of<D>(sources[lane]...));
    }
  } else {
    WARPSHOP_EACH_LANE_ALONE
    for (int lane = 0; lane < kLanes; ++lane) {
      d[lane] = merged(static_cast<Register<D>>(Op::template of<D>(sources[lane]...)), d[lane],
                       merge_mask<Register<D>>(state, lane));
    }
  }
}
template <typename Op, typename D, typename... S, int... kIndex>
inline void for_sources(LaneState& state, const MicroOp* op, Indices<kIndex...>) {
  for_lanes<Op, D>(state, op->d, Source<S>(state, op, source_offset(op, kIndex), kIndex)...);
}

// The handler of d = op(a, b, …), all in registers. Flattened, since calls in the loop do not
// vectorise.
template <typename Op, typename D, typename... S>
[[gnu::flatten]] const MicroOp* lane_handler(Warp& warp, const MicroOp* op) {
  for_sources<Op, D, S...>(warp, op, typename IndicesOf<S...>::Type());
  return op + 1;
}

// Packs the lanes' values, 0 or all ones, into the bits of a word.
#if defined(__AVX2__)
inline uint32_t pack_lanes(const uint8_t* lanes) {
  return static_cast<uint32_t>(
      _mm256_movemask_epi8(_mm256_load_si256(reinterpret_cast<const __m256i*>(lanes))));
}
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
inline uint32_t pack_lanes(const uint32_t* lanes) {
  return static_cast<uint32_t>(_mm512_movepi32_mask(_mm512_load_si512(lanes))) |
         static_cast<uint32_t>(_mm512_movepi32_mask(_mm512_load_si512(lanes + 16))) << 16;
}
inline uint32_t pack_lanes(const uint64_t* lanes) {
  uint32_t word = 0;
  for (int part = 0; part < 4; ++part) {
    word |= static_cast<uint32_t>(_mm512_movepi64_mask(_mm512_load_si512(lanes + 8 * part)))
            << (8 * part);
  }
  return word;
}
#else
inline uint32_t pack_lanes(const uint32_t* lanes) {
  uint32_t word = 0;
  for (int part = 0; part < 4; ++part) {
    const __m256 eight = _mm256_load_ps(reinterpret_cast<const float*>(lanes + 8 * part));
    word |= static_cast<uint32_t>(_mm256_movemask_ps(eight)) << (8 * part);
  }
  return word;
}
inline uint32_t pack_lanes(const uint64_t* lanes) {
  uint32_t word = 0;
  for (int part = 0; part < 8; ++part) {
    const __m256d four = _mm256_load_pd(reinterpret_cast<const double*>(lanes + 4 * part));
    word |= static_cast<uint32_t>(_mm256_movemask_pd(four)) << (4 * part);
  }
  return word;
}
#endif
#elif defined(__SSE2__)
inline uint32_t pack_lanes(const uint8_t* lanes) {
  const auto* half = reinterpret_cast<const __m128i*>(lanes);
  return static_cast<uint32_t>(_mm_movemask_epi8(_mm_load_si128(half))) |
         static_cast<uint32_t>(_mm_movemask_epi8(_mm_load_si128(half + 1))) << 16;
}
inline uint32_t pack_lanes(const uint32_t* lanes) {
  uint32_t word = 0;
  for (int part = 0; part < 8; ++part) {
    const __m128 four = _mm_load_ps(reinterpret_cast<const float*>(lanes + 4 * part));
    word |= static_cast<uint32_t>(_mm_movemask_ps(four)) << (4 * part);
  }
  return word;
}
inline uint32_t pack_lanes(const uint64_t* lanes) {
  uint32_t word = 0;
  for (int part = 0; part < 16; ++part) {
    const __m128d two = _mm_load_pd(reinterpret_cast<const double*>(lanes + 2 * part));
    word |= static_cast<uint32_t>(_mm_movemask_pd(two)) << (2 * part);
  }
  return word;
}
#elif defined(__wasm_simd128__)
inline uint32_t pack_lanes(const uint8_t* lanes) {
  return wasm_i8x16_bitmask(wasm_v128_load(lanes)) |
         static_cast<uint32_t>(wasm_i8x16_bitmask(wasm_v128_load(lanes + 16))) << 16;
}
inline uint32_t pack_lanes(const uint32_t* lanes) {
  uint32_t word = 0;
  for (int part = 0; part < 8; ++part) {
    word |= static_cast<uint32_t>(wasm_i32x4_bitmask(wasm_v128_load(lanes + 4 * part)))
            << (4 * part);
  }
  return word;
}
inline uint32_t pack_lanes(const uint64_t* lanes) {
  uint32_t word = 0;
  for (int part = 0; part < 16; ++part) {
    word |= static_cast<uint32_t>(wasm_i64x2_bitmask(wasm_v128_load(lanes + 2 * part)))
            << (2 * part);
  }
  return word;
}
#else
template <typename T>
inline uint32_t pack_lanes(const T* lanes) {
  uint32_t word = 0;
  for (int lane = 0; lane < kLanes; ++lane)
    word |= static_cast<uint32_t>(lanes[lane]) & kLaneBit[lane];
  return word;
}
inline uint32_t pack_lanes(const uint8_t* lanes) {
  uint32_t word = 0;
  for (int part = 0; part < 4; ++part) {
    uint64_t eight;
    __builtin_memcpy(&eight, lanes + 8 * part, 8);
    // Gathers the lowest bits of eight bytes in the highest byte: little-endian.
    word |= static_cast<uint32_t>((eight & 0x0101010101010101u) * 0x0102040810204080u >> 56)
            << (8 * part);
  }
  return word;
}
#endif

// Results of comparisons are as wide as the operands, except for 16-bit ones, which give bytes.
template <typename T>
inline constexpr int kCompareBytes = sizeof(T) == 2 ? 1 : static_cast<int>(sizeof(T));

// Bit l: op(sources[l]…), a bool; T is the type of the first source.
template <typename Op, typename T, typename... S>
inline uint32_t bits_for_lanes(S... sources) {
  using Lane = typename IntegerOfSize<kCompareBytes<T>>::Unsigned;
  alignas(64) Lane lanes[kLanes];
  WARPSHOP_EACH_LANE_ALONE
  for (int lane = 0; lane < kLanes; ++lane) {
    lanes[lane] = Op::template of<bool>(sources[lane]...) ? static_cast<Lane>(~Lane(0)) : Lane(0);
  }
  return pack_lanes(lanes);
}
template <typename Op, typename T, typename... S, int... kIndex>
inline uint32_t bits_for_sources(LaneState& state, const MicroOp* op, Indices<kIndex...>) {
  return bits_for_lanes<Op, T>(Source<T>(state, op, op->a, 0),
                               Source<S>(state, op, source_offset(op, kIndex + 1), kIndex + 1)...);
}

// The handler of p|q = compare(a, b, …); q, the opposite, may be absent.
template <typename Op, typename T, typename... S>
[[gnu::flatten]] const MicroOp* compare_handler(Warp& warp, const MicroOp* op) {
  const uint32_t word = bits_for_sources<Op, T, S...>(warp, op, typename IndicesOf<S...>::Type());
  if (op->d != kNoRegister) [[likely]]
    store_predicate(warp, op->d, word);
  if (op->e != kNoRegister) store_predicate(warp, op->e, ~word);
  return op + 1;
}

// The handler of p = op(q, …) on whole predicate words.
template <typename Op, typename... S, int... kIndex>
inline void predicates_for_sources(LaneState& state, const MicroOp* op, Indices<kIndex...>) {
  store_predicate(
      state, op->d,
      Op::template of<uint32_t>(Source<S>(state, op, source_offset(op, kIndex), kIndex).word...));
}
template <typename Op, typename... S>
const MicroOp* predicate_handler(Warp& warp, const MicroOp* op) {
  predicates_for_sources<Op, S...>(warp, op, typename IndicesOf<S...>::Type());
  return op + 1;
}

// Picks the shape for a row of the table.
template <typename T>
inline constexpr bool kIsPredicate = false;
template <>
inline constexpr bool kIsPredicate<Pred> = true;

template <typename Op, typename D, typename... S>
constexpr Handler handler_of() {
  if constexpr (kIsPredicate<D> && (kIsPredicate<S> && ...))
    return &predicate_handler<Op, S...>;
  else if constexpr (kIsPredicate<D>)
    return &compare_handler<Op, S...>;
  else
    return &lane_handler<Op, D, S...>;
}

}  // namespace warpshop::emulator::WARPSHOP_LANES
