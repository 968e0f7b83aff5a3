#include "memory/address_math.h"

#include <algorithm>
#include <bit>

#include "memory/host_clones.h"
#include "memory/pick_words.h"

namespace warpshop::emulator {
namespace {

WARPSHOP_CLONES uint64_t difference(const uint64_t* address, uint64_t base, const uint64_t* delta) {
  uint64_t different = 0;
  for (int lane = 0; lane < 32; ++lane) different |= (address[lane] - base) ^ delta[lane];
  return different;
}

WARPSHOP_CLONES uint64_t difference_masked(const uint64_t* address, uint64_t base,
                                           const uint64_t* delta, const uint32_t* lane_mask) {
  uint64_t different = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const auto active =
        static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(lane_mask[lane])));
    different |= ((address[lane] - base) ^ delta[lane]) & active;
  }
  return different;
}

// Marks lanes with the same delta as another lane. Inactive lanes have unique values.
WARPSHOP_CLONES bool find_sharers(const uint64_t* delta, uint64_t* sharer) {
  uint64_t twice[64];
  for (int n = 0; n < 32; ++n) twice[n] = twice[n + 32] = delta[n];
  for (int n = 0; n < 32; ++n) sharer[n] = 0;
  for (int distance = 1; distance < 32; ++distance) {
    for (int n = 0; n < 32; ++n) sharer[n] |= twice[n] == twice[n + distance] ? uint64_t{4} : 0;
  }
  uint64_t any = 0;
  for (int n = 0; n < 32; ++n) any |= sharer[n];
  return any != 0;
}

}  // namespace

WARPSHOP_CLONES void add_offset_64(uint64_t* __restrict address, const uint64_t* base,
                                   uint64_t offset) {
  for (int lane = 0; lane < 32; ++lane) address[lane] = base[lane] + offset;
}

WARPSHOP_CLONES void add_offset_32(uint64_t* __restrict address, const uint32_t* base,
                                   uint32_t offset) {
  for (int lane = 0; lane < 32; ++lane) address[lane] = base[lane] + offset;
}

WARPSHOP_CLONES bool place_64(uint64_t* __restrict address, const uint64_t* base, uint64_t offset,
                              const AddressPattern& pattern) {
  const uint64_t first = base[0] + offset;
  uint64_t different = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const uint64_t at = base[lane] + offset;
    address[lane] = at;
    different |= (at - first) ^ pattern.delta[lane];
  }
  return different == 0 && pattern.mask == 0xffffffffu;
}

WARPSHOP_CLONES bool place_32(uint64_t* __restrict address, const uint32_t* base, uint32_t offset,
                              const AddressPattern& pattern) {
  const uint64_t first = base[0] + offset;
  uint64_t different = 0;
  for (int lane = 0; lane < 32; ++lane) {
    const uint64_t at = base[lane] + offset;
    address[lane] = at;
    different |= (at - first) ^ pattern.delta[lane];
  }
  return different == 0 && pattern.mask == 0xffffffffu;
}

WARPSHOP_CLONES void gather_4(uint32_t* __restrict to, uint64_t distance, const uint64_t* address) {
  for (int lane = 0; lane < 32; ++lane)
    to[lane] = *reinterpret_cast<const uint32_t*>(distance + address[lane]);
}

WARPSHOP_CLONES void gather_8(uint64_t* __restrict to, uint64_t distance, const uint64_t* address) {
  for (int lane = 0; lane < 32; ++lane)
    to[lane] = *reinterpret_cast<const uint64_t*>(distance + address[lane]);
}

#ifdef __x86_64__
bool pick_words(uint32_t* to, const uint8_t* lowest, const AddressPattern& pattern) {
  if (kHasAvx512) pick_words_avx512(to, lowest, pattern);
  return kHasAvx512;
}
#else
bool pick_words(uint32_t*, const uint8_t*, const AddressPattern&) { return false; }
#endif

bool repeats(const AddressPattern& pattern, const uint64_t* address, uint32_t mask,
             const uint32_t* lane_mask) {
  if (pattern.mask != mask) return false;
  const uint64_t base = address[pattern.first];
  return (mask == 0xffffffffu ? difference(address, base, pattern.delta)
                              : difference_masked(address, base, pattern.delta, lane_mask)) == 0;
}

void describe(AddressPattern& pattern, const uint64_t* address, uint32_t mask, uint64_t width) {
  ++pattern.version;
  pattern.mask = mask;
  pattern.first = std::countr_zero(mask);
  const uint64_t base = address[pattern.first];
  pattern.lowest = pattern.highest = 0;
  pattern.bits = 0;
  uint64_t uneven = mask == 0xffffffffu ? 0 : 1;
  uint64_t distinct[32];
  for (int lane = 0; lane < 32; ++lane) {
    const bool active = (mask >> lane) & 1u;
    const uint64_t delta = active ? address[lane] - base : 0;
    pattern.delta[lane] = delta;
    // Valid addresses never differ by 2^63 or more.
    distinct[lane] = active ? delta : (uint64_t{1} << 63) + static_cast<uint64_t>(lane);
    pattern.lowest = std::min(pattern.lowest, static_cast<int64_t>(delta));
    pattern.highest = std::max(pattern.highest, static_cast<int64_t>(delta));
    pattern.bits |= delta;
    uneven |= delta ^ (static_cast<uint64_t>(lane) * width);
  }
  pattern.contiguous = uneven == 0;
  // Modulo 2^64: wild addresses may be further apart than a signed number can express.
  const uint64_t span =
      static_cast<uint64_t>(pattern.highest) - static_cast<uint64_t>(pattern.lowest);
  const bool near = mask == 0xffffffffu && (pattern.bits & 3u) == 0 && span < 4 * 32;
  pattern.near_words = near ? 0xffffffffu >> (31 - span / 4) : 0;
  for (int lane = 0; near && lane < 32; ++lane) {
    pattern.word[lane] =
        static_cast<uint32_t>((pattern.delta[lane] - static_cast<uint64_t>(pattern.lowest)) / 4);
  }
  pattern.shares = find_sharers(distinct, pattern.sharer);
  pattern.distinct_count = 0;
  for (int lane = 0; lane < 32; ++lane) {
    if (!((mask >> lane) & 1u)) continue;
    const bool first = pattern.sharer[lane] == 0 ||
                       std::find(distinct, distinct + lane, distinct[lane]) == distinct + lane;
    if (first) pattern.distinct[pattern.distinct_count++] = static_cast<uint8_t>(lane);
  }
}

}  // namespace warpshop::emulator
