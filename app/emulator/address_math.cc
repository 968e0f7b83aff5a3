#include "address_math.h"

#include "host_clones.h"

namespace warpshop::emulator {

WARPSHOP_CLONES void add_offset_64(uint64_t* __restrict address, const uint64_t* base, uint64_t offset) {
  for (int lane = 0; lane < 32; ++lane) address[lane] = base[lane] + offset;
}

WARPSHOP_CLONES void add_offset_32(uint64_t* __restrict address, const uint32_t* base, uint32_t offset) {
  for (int lane = 0; lane < 32; ++lane) address[lane] = base[lane] + offset;
}

WARPSHOP_CLONES AddressSummary summarise(const uint64_t* address, uint64_t base, uint64_t limit,
                                         uint64_t alignment_mask, uint64_t bytes) {
  uint64_t outside = 0;
  uint64_t bits = 0;
  uint64_t uneven = 0;
  const uint64_t first = address[0];
  for (uint64_t lane = 0; lane < 32; ++lane) {
    // Addresses and limits stay below 2^63, so a negative difference shows in the top bit.
    outside |= (address[lane] - base) | (limit - (address[lane] - base));
    bits |= address[lane];
    uneven |= address[lane] ^ (first + lane * bytes);
  }
  return {.inside = (outside >> 63) == 0, .aligned = (bits & alignment_mask) == 0, .contiguous = uneven == 0};
}

WARPSHOP_CLONES AddressSummary summarise_masked(const uint64_t* address, const uint32_t* lane_mask, uint64_t base,
                                                uint64_t limit, uint64_t alignment_mask) {
  uint64_t outside = 0;
  uint64_t bits = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const auto active = static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(lane_mask[lane])));
    outside |= ((address[lane] - base) | (limit - (address[lane] - base))) & active;
    bits |= address[lane] & active;
  }
  return {.inside = (outside >> 63) == 0, .aligned = (bits & alignment_mask) == 0};
}

}  // namespace warpshop::emulator
