// Texture fetches as loads.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "emulator/texture_memory.h"
#include "models/coalescer.h"
#include "predict/texels.h"

namespace warpshop::timing {

// Presents a fetch as loads of one texel per lane: take(addresses, lanes, bytes).
template <typename Take>
void for_each_texel(TexelLayout layout, const emulator::TextureFetch& fetch, Take take) {
  for (int n = 0; n < 4; ++n) {
    std::array<uint64_t, models::kLanes> address{};
    uint32_t lanes = 0;
    uint32_t width = 0;
    for (uint32_t rest = fetch.active_mask; rest != 0; rest &= rest - 1) {
      const auto l = static_cast<size_t>(std::countr_zero(rest));
      const emulator::TextureFetch::Lane& lane = fetch.lanes[l];
      if (n >= lane.texels) continue;
      address[l] = texel_address(layout, *lane.texture, lane.offset[static_cast<size_t>(n)]);
      width = static_cast<uint32_t>(lane.texture->shape.texel_bytes());
      lanes |= 1U << l;
    }
    if (lanes == 0) return;
    take(address, lanes, width);
  }
}

}  // namespace warpshop::timing
