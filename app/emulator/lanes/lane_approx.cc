// Handlers of unit Approx.
#include "lanes/lane_once.h"
#include "lanes/lane_ops_approx.h"
#include "lanes/lane_tables.h"

namespace warpshop::emulator::lanes_base {

namespace {

template <typename Op>  // both halves of a pair
struct EachHalf {
  template <typename D>
  static D of(D pair) {
    using H = typename HalfOfPair<D>::Type;
    const uint32_t low = Op::template of<H>(H{static_cast<uint16_t>(pair.bits)}).bits;
    const uint32_t high = Op::template of<H>(H{static_cast<uint16_t>(pair.bits >> 16)}).bits;
    return {high << 16 | low};
  }
};

template <typename Op, typename D, typename... S>
constexpr Handler approx_handler() {
  if constexpr (kIsHalfPair<D>)
    return &once_handler<EachHalf<Op>, D, S...>;
  else
    return &once_handler<Op, D, S...>;
}

}  // namespace

#define LIST(...) __VA_ARGS__
#define ROW_Approx(form, operation, dest, sources, pipe, anchor) \
  approx_handler<operation, dest, LIST sources>(),
const Handler kApprox[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::lanes_base
