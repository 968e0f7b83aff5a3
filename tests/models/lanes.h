// Shorthands for writing a warp's request in a table.
#pragma once

#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

#include "models/request.h"

namespace warpshop::models {

inline constexpr uint32_t kAllLanes = 0xFFFFFFFFU;

inline WarpRequest lanes(uint32_t width, uint32_t mask,
                         const std::function<uint64_t(uint64_t)>& address) {
  WarpRequest request{.active_mask = mask, .width_bytes = width};
  for (uint64_t lane = 0; lane < kLanes; ++lane) {
    // Inactive lanes get addresses that would be counted if anything read them.
    request.address[lane] = (mask >> lane & 1U) != 0 ? address(lane) : 0xDEAD0000 + 4096 * lane;
  }
  return request;
}

inline WarpRequest strided(uint32_t width, uint64_t first, int64_t stride,
                           uint32_t mask = kAllLanes) {
  return lanes(width, mask,
               [&](uint64_t lane) { return first + lane * static_cast<uint64_t>(stride); });
}

}  // namespace warpshop::models
