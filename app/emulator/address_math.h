// Loops over 32 addresses, compiled for the widest vectors the host has.
#pragma once

#include <cstdint>

namespace warpshop::emulator {

// address[l] = base[l] + offset
void add_offset_64(uint64_t* address, const uint64_t* base, uint64_t offset);
// address[l] = (base[l] + offset) mod 2^32
void add_offset_32(uint64_t* address, const uint32_t* base, uint32_t offset);

struct AddressSummary {
  bool inside = false;       // every address lies in [base, base + limit]
  bool aligned = false;      // every address is a multiple of alignment_mask + 1
  bool contiguous = false;   // address[l] = address[0] + l × bytes
};
// For all 32 lanes.
AddressSummary summarise(const uint64_t* address, uint64_t base, uint64_t limit, uint64_t alignment_mask, uint64_t bytes);
// For the lanes whose lane_mask is all ones; `contiguous` stays false.
AddressSummary summarise_masked(const uint64_t* address, const uint32_t* lane_mask, uint64_t base, uint64_t limit,
                                uint64_t alignment_mask);

}  // namespace warpshop::emulator
