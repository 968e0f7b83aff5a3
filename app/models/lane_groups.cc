#include "lane_groups.h"

namespace warpshop::models {
namespace {

// True if every active lane's partner (lane ^ distance) is inactive or has the same address.
bool partners_agree(const WarpRequestView& request, uint32_t distance) {
  for (uint32_t lane = 0; lane < kLanes; ++lane) {
    const uint32_t partner = lane ^ distance;
    const bool both = (request.active_mask >> lane & request.active_mask >> partner & 1U) != 0;
    if (both && request.address[lane] != request.address[partner]) return false;
  }
  return true;
}

}  // namespace

LaneGroups lane_groups(const WarpRequestView& request, SharedAccess access) {
  const uint32_t mask = request.active_mask;
  LaneGroups groups;
  if (request.width_bytes <= 4) {
    groups.add(mask);
    return groups;
  }
  const uint32_t low_half = mask & 0xFFFFU;
  const uint32_t high_half = mask & 0xFFFF0000U;
  // Loads merge groups whose lanes share words: measured, docs/models.md "Wide accesses".
  const bool joined =
      access == SharedAccess::kLoad && (partners_agree(request, 1) || partners_agree(request, 2));
  if (request.width_bytes == 8) {
    if (joined) {
      groups.add(mask);
    } else {
      groups.add(low_half);
      groups.add(high_half);
    }
    return groups;
  }
  for (const uint32_t half : {low_half, high_half}) {
    if (joined) {
      groups.add(half);
    } else {
      groups.add(half & 0x00FF00FFU);
      groups.add(half & 0xFF00FF00U);
    }
  }
  return groups;
}

}  // namespace warpshop::models
