// Limits the hazards that a shadow reports for one access.
//
// Two writes of one place race only if their values differ, which the shadow does not know. Such
// hazards take no room: many equal values must not hide the one that differs.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpshop::emulator {

// Of a shadow of global memory, and of shared memory.
inline constexpr size_t kMostGlobalHazards = 8;
inline constexpr size_t kMostSharedHazards = 32;

template <typename Hazard>
bool has_room_for(const std::vector<Hazard>& hazards, size_t most) {
  if (hazards.size() < most) return true;
  const auto certain = std::count_if(hazards.begin(), hazards.end(),
                                     [](const Hazard& h) { return !h.needs_values; });
  return static_cast<size_t>(certain) < most;
}

}  // namespace warpshop::emulator
