// Handlers of unit Round: .rz, .rm and .rp of f32 and f64. They set the host's rounding mode around
// a function that the compiler can neither move nor inline.
#define WARPSHOP_FMA_OF_LIBRARY  // the library's fma follows the rounding mode
#include <cfenv>

#include "lanes/lane_once.h"
#include "lanes/lane_ops_bits.h"
#include "lanes/lane_tables.h"

namespace warpshop::emulator::lanes_base {
namespace {

template <typename Op, int kMode>
struct Rounding {
  static constexpr int kRounding = kMode;
  template <typename D, typename... S>
  static D of(S... sources) {
    return Op::template of<D>(sources...);
  }
  template <typename D, typename... S>
  static D scaled(S... sources) requires requires {
    Op::template scaled<D>(sources...);
  }
  { return Op::template scaled<D>(sources...); }
};
template <typename Op>
struct Rz : Rounding<Op, FE_TOWARDZERO> {};
template <typename Op>
struct Rm : Rounding<Op, FE_DOWNWARD> {};
template <typename Op>
struct Rp : Rounding<Op, FE_UPWARD> {};

inline float widened(float x) { return x; }
inline float widened(F16 x) { return float_from_half(x); }
inline float widened(Bf16 x) { return float_from_half(x); }
template <typename Op>  // 16-bit sources, f32 arithmetic
struct Widened {
  template <typename D, typename... S>
  static D of(S... sources) {
    return Op::template of<D>(widened(sources)...);
  }
};

// A separate function, so that no operation moves out of the region with the changed rounding mode.
#if defined(__clang__)
#define WARPSHOP_OPAQUE [[gnu::noinline]]
#else
#define WARPSHOP_OPAQUE [[gnu::noipa]]
#endif
template <typename Op, typename D, typename... S>
WARPSHOP_OPAQUE void rounded_results(UnsignedOf<D>* results, LaneState& state, const MicroOp* op) {
  results_of_sources<Op, D, S...>(results, state, op, typename IndicesOf<S...>::Type());
}

template <typename Op, typename D, typename... S>
const MicroOp* round_handler(Warp& warp, const MicroOp* op) {
  static_assert(kRoundingOf<Op> == FE_TOWARDZERO || kRoundingOf<Op> == FE_DOWNWARD ||
                kRoundingOf<Op> == FE_UPWARD);
  alignas(64) UnsignedOf<D> results[kLanes];
  const int before = std::fegetround();
  std::fesetround(kRoundingOf<Op>);
  rounded_results<Op, D, S...>(results, warp, op);
  std::fesetround(before);
  store_lanes(warp, op->d, results);
  return op + 1;
}

}  // namespace

#define LIST(...) __VA_ARGS__
#define ROW_Round(form, operation, dest, sources, pipe, anchor) \
  &round_handler<operation, dest, LIST sources>,
const Handler kRound[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::lanes_base
