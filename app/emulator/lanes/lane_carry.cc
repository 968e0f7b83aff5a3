// Handlers of unit Carry: extended precision, PTX ISA §9.7.2. LaneState::carry is CC.CF, one bit
// per lane: the carry of an addition, the borrow of a subtraction.
#include "lanes/lane_once.h"
#include "lanes/lane_ops.h"
#include "lanes/lane_tables.h"

namespace warpshop::emulator::lanes_base {
namespace {

template <bool kReads, bool kWrites>
struct Sum {
  static constexpr bool kWritesCarry = kWrites;
  template <typename U>
  static U of(U a, U b, bool& carry) {
    const U partial = static_cast<U>(a + b);
    const U sum = static_cast<U>(partial + (kReads && carry ? 1 : 0));
    if (kWrites) carry = partial < a || sum < partial;
    return sum;
  }
};
template <bool kReads, bool kWrites>
struct Difference {
  static constexpr bool kWritesCarry = kWrites;
  template <typename U>
  static U of(U a, U b, bool& borrow) {
    const U partial = static_cast<U>(a - b);
    const U difference = static_cast<U>(partial - (kReads && borrow ? 1 : 0));
    if (kWrites) borrow = a < b || difference > partial;
    return difference;
  }
};
using AddCarryOut = Sum<false, true>;
using AddCarryIn = Sum<true, false>;
using AddCarryInOut = Sum<true, true>;
using SubCarryOut = Difference<false, true>;
using SubCarryIn = Difference<true, false>;
using SubCarryInOut = Difference<true, true>;

template <typename Op, typename T>
const MicroOp* carry_sum(Warp& warp, const MicroOp* op) {
  using U = UnsignedOf<T>;
  const U* a = lanes_at<U>(warp, op->a);
  const U* b = lanes_at<U>(warp, op->b);
  alignas(64) U results[kLanes];
  uint32_t carries = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    bool carry = (warp.carry >> lane & 1) != 0;
    results[lane] = Op::of(a[lane], b[lane], carry);
    carries |= static_cast<uint32_t>(carry) << lane;
  }
  store_lanes(warp, op->d, results);
  if (Op::kWritesCarry) warp.carry = (carries & warp.mask) | (warp.carry & ~warp.mask);
  return op + 1;
}

template <typename Op, typename Product, typename T>
const MicroOp* carry_product(Warp& warp, const MicroOp* op) {
  using U = UnsignedOf<T>;
  const T* a = lanes_at<T>(warp, op->a);
  const T* b = lanes_at<T>(warp, op->b);
  const U* c = lanes_at<U>(warp, op->c);
  alignas(64) U results[kLanes];
  uint32_t carries = 0;
  for (int lane = 0; lane < kLanes; ++lane) {
    bool carry = (warp.carry >> lane & 1) != 0;
    results[lane] =
        Op::of(static_cast<U>(Product::template of<T>(a[lane], b[lane])), c[lane], carry);
    carries |= static_cast<uint32_t>(carry) << lane;
  }
  store_lanes(warp, op->d, results);
  if (Op::kWritesCarry) warp.carry = (carries & warp.mask) | (warp.carry & ~warp.mask);
  return op + 1;
}

// The handler of a row's operation for type T.
template <typename Op>
struct CarryHandler {
  template <typename T>
  static constexpr Handler run = &carry_sum<Op, T>;
};
template <typename Op>
struct LowProduct {};
template <typename Op>
struct HighProduct {};
template <typename Op>
struct CarryHandler<LowProduct<Op>> {
  template <typename T>
  static constexpr Handler run = &carry_product<Op, Mul, T>;
};
template <typename Op>
struct CarryHandler<HighProduct<Op>> {
  template <typename T>
  static constexpr Handler run = &carry_product<Op, MulHi, T>;
};

}  // namespace

#define ROW_Carry(form, operation, dest, sources, pipe, anchor) CarryHandler<operation>::run<dest>,
const Handler kCarry[] = {
#include "ptx/instructions.def"
};

}  // namespace warpshop::emulator::lanes_base
