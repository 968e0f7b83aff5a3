#include "state/launch_state.h"

#include <algorithm>
#include <iterator>

namespace warpshop::emulator {

const Region* Launch::find(uint64_t address, uint64_t bytes) const {
  auto after = std::upper_bound(regions.begin(), regions.end(), address,
                                [](uint64_t value, const Region& r) { return value < r.base; });
  if (after == regions.begin()) return nullptr;
  const Region& r = *std::prev(after);
  return holds(r, address, bytes) ? &r : nullptr;
}

const Region* Launch::nearest(uint64_t address) const {
  const Region* best = nullptr;
  uint64_t best_distance = ~uint64_t{0};
  for (const Region& r : regions) {
    const uint64_t end = r.base + r.size_bytes;
    const uint64_t distance = address < r.base ? r.base - address
                              : address >= end ? address - end
                                               : 0;
    if (distance < best_distance) {
      best = &r;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace warpshop::emulator
