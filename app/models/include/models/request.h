// A warp's memory instruction as input to the models.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace warpshop::models {

inline constexpr int kLanes = 32;

struct WarpRequest {
  uint32_t active_mask = 0;
  uint32_t width_bytes = 4;                // per lane: 1, 2, 4, 8 or 16
  std::array<uint64_t, kLanes> address{};  // ignored for inactive lanes
};

// The same without a copy, for the emulator's hot path. `address` points to kLanes addresses.
struct WarpRequestView {
  uint32_t active_mask = 0;
  uint32_t width_bytes = 4;
  const uint64_t* address = nullptr;

  WarpRequestView(uint32_t mask, uint32_t width, const uint64_t* addresses)
      : active_mask(mask), width_bytes(width), address(addresses) {}
  WarpRequestView(const WarpRequest& request)  // NOLINT: implicit by design
      : WarpRequestView(request.active_mask, request.width_bytes, request.address.data()) {}
  int active_lanes() const { return std::popcount(active_mask); }
};

}  // namespace warpshop::models
