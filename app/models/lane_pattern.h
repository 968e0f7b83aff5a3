// Recognises the most common access pattern: lanes 0..n-1 active, with a constant stride.
#pragma once

#include <bit>
#include <cstdint>

#include "models/request.h"

namespace warpshop::models {

struct LanePattern {
  int lanes = 0;       // active lanes 0..lanes-1; 0: some other pattern
  int64_t stride = 0;  // address[i] == address[0] + i * stride, bytes
};

inline LanePattern find_pattern(const WarpRequestView& request) {
  const uint32_t mask = request.active_mask;
  if (mask == 0 || (mask & (mask + 1)) != 0) return {};
  const int lanes = std::popcount(mask);
  const uint64_t first = request.address[0];
  if (lanes == 1) return {1, 0};
  const uint64_t stride = request.address[1] - first;
  // most other patterns stop here
  if (lanes > 2 && request.address[2] - first != 2 * stride) return {};
  uint64_t off = 0;
  if (lanes == kLanes) {  // a constant trip count, so that the loop vectorises
    for (size_t i = 1; i < kLanes; ++i)
      off |= (request.address[i] - request.address[i - 1]) ^ stride;
  } else {
    for (int i = 1; i < lanes; ++i) off |= (request.address[i] - request.address[i - 1]) ^ stride;
  }
  if (off != 0) return {};
  return {lanes, static_cast<int64_t>(stride)};
}

}  // namespace warpshop::models
