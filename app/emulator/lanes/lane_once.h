// Handlers of forms that are rare enough to be compiled once, for any host: they compute into an
// array, and a single function merges it into the destination.
#pragma once

#include "lanes/lane_loop.h"

namespace warpshop::emulator::WARPSHOP_LANES {

[[gnu::noinline]] inline void store_lanes(LaneState& state, uint32_t offset,
                                          const uint16_t* results) {
  uint16_t* d = lanes_at<uint16_t>(state, offset);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((state.mask >> lane & 1) != 0) d[lane] = results[lane];
  }
}
[[gnu::noinline]] inline void store_lanes(LaneState& state, uint32_t offset,
                                          const uint32_t* results) {
  uint32_t* d = lanes_at<uint32_t>(state, offset);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((state.mask >> lane & 1) != 0) d[lane] = results[lane];
  }
}
[[gnu::noinline]] inline void store_lanes(LaneState& state, uint32_t offset,
                                          const uint64_t* results) {
  uint64_t* d = lanes_at<uint64_t>(state, offset);
  for (int lane = 0; lane < kLanes; ++lane) {
    if ((state.mask >> lane & 1) != 0) d[lane] = results[lane];
  }
}

template <typename Op, typename D, typename... S>
inline void results_of(UnsignedOf<Register<D>>* results, S... sources) {
  for (int lane = 0; lane < kLanes; ++lane) {
    results[lane] = bits_of(static_cast<Register<D>>(Op::template of<D>(sources[lane]...)));
  }
}
template <typename Op, typename D, typename... S, int... kIndex>
inline void results_of_sources(UnsignedOf<Register<D>>* results, LaneState& state,
                               const MicroOp* op, Indices<kIndex...>) {
  results_of<Op, D>(results, Source<S>(state, op, source_offset(op, kIndex), kIndex)...);
}
template <typename Op, typename D, typename... S>
const MicroOp* once_handler(Warp& warp, const MicroOp* op) {
  alignas(64) UnsignedOf<Register<D>> results[kLanes];
  results_of_sources<Op, D, S...>(results, warp, op, typename IndicesOf<S...>::Type());
  store_lanes(warp, op->d, results);
  return op + 1;
}

}  // namespace warpshop::emulator::WARPSHOP_LANES
