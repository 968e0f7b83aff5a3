// Handlers of unit Half; compiled once for each instruction set (see CMakeLists.txt): f16, bf16 and
// their pairs. PTX ISA §9.7.4, and §9.7.5 for f32 with 16-bit sources.
#include "lanes/lane_loop.h"
#include "lanes/lane_ops_bits.h"
#include "lanes/lane_tables.h"

namespace warpshop::emulator::WARPSHOP_LANES {
namespace {

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

// .oob: 0 if a factor is the NaN 0x7ff7, of either sign. Measured on an H200.
template <typename Op>
struct Oob {
  template <typename D>
  static D of(D a, D b, D c) {
    const bool outside = (a.bits & 0x7fff) == 0x7ff7 || (b.bits & 0x7fff) == 0x7ff7;
    return outside ? D{0} : Op::template of<D>(a, b, c);
  }
};

template <typename Op>  // both halves of a pair
struct EachHalf {
  template <typename D, typename... S>
  static D of(S... sources) {
    using H = typename HalfOfPair<D>::Type;
    const uint32_t low = Op::template of<H>(H{static_cast<uint16_t>(sources.bits)}...).bits;
    const uint32_t high = Op::template of<H>(H{static_cast<uint16_t>(sources.bits >> 16)}...).bits;
    return {high << 16 | low};
  }
};

template <typename Op, typename D, typename... S>
constexpr Handler half_handler() {
  if constexpr (kIsHalfPair<D>)
    return handler_of<EachHalf<Op>, D, S...>();
  else
    return handler_of<Op, D, S...>();
}

}  // namespace

#define LIST(...) __VA_ARGS__
#define ROW_Half(form, operation, dest, sources, pipe, anchor) \
  half_handler<operation, dest, LIST sources>(),
const Handler kHalf[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::WARPSHOP_LANES
