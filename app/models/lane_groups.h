// Groups the lanes of a shared-memory access that are served by the banks together.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "models/banks.h"

namespace warpshop::models {

// Up to four lane masks in service order; groups without active lanes are omitted.
struct LaneGroups {
  std::array<uint32_t, 4> lanes{};
  int count = 0;
  void add(uint32_t mask) {
    if (mask != 0) lanes[static_cast<size_t>(count++)] = mask;
  }
};

LaneGroups lane_groups(const WarpRequestView& request, SharedAccess access);

}  // namespace warpshop::models
