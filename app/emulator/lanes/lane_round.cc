// Handlers of unit Round: .rz, .rm and .rp of f32 and f64. They set the host's rounding mode around
// a function that the compiler can neither move nor inline. WARPSHOP_ROUNDS_IN_SOFTWARE: the host
// has only one (lanes/directed.h).
#define WARPSHOP_LANES lanes_round  // the same templates, compiled in another way
#define WARPSHOP_FMA_OF_LIBRARY     // the library's fma follows the rounding mode
#include <cfenv>

#include "lanes/directed.h"
#include "lanes/lane_once.h"
#include "lanes/lane_ops_bits.h"
#include "lanes/lane_tables.h"

namespace warpshop::emulator::lanes_round {
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
struct Rz : Rounding<Op, kTowardZero> {};
template <typename Op>
struct Rm : Rounding<Op, kDownward> {};
template <typename Op>
struct Rp : Rounding<Op, kUpward> {};

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

#ifdef WARPSHOP_ROUNDS_IN_SOFTWARE
class Rounded {
 public:
  explicit Rounded(int to) { direction = static_cast<Direction>(to); }
  ~Rounded() { direction = kToNearest; }
};
#else
class Rounded {
 public:
  explicit Rounded(int direction) : before_(std::fegetround()) {
    std::fesetround(direction == kTowardZero ? FE_TOWARDZERO
                    : direction == kDownward ? FE_DOWNWARD
                                             : FE_UPWARD);
  }
  ~Rounded() { std::fesetround(before_); }

 private:
  int before_;
};
#endif

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
  static_assert(kRoundingOf<Op> != kToNearest);
  alignas(64) UnsignedOf<D> results[kLanes];
  const Rounded until_the_end(kRoundingOf<Op>);
  rounded_results<Op, D, S...>(results, warp, op);
  store_lanes(warp, op->d, results);
  return op + 1;
}

}  // namespace
}  // namespace warpshop::emulator::lanes_round

namespace warpshop::emulator::lanes_base {
using namespace lanes_round;

#define LIST(...) __VA_ARGS__
#define ROW_Round(form, operation, dest, sources, pipe, anchor) \
  &round_handler<operation, dest, LIST sources>,
const Handler kRound[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::lanes_base
