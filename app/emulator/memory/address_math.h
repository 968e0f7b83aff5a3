// Loops over the 32 addresses of a warp, compiled for the widest vectors the host has.
#pragma once

#include <cstdint>

namespace warpshop::emulator {

// address[l] = base[l] + offset
void add_offset_64(uint64_t* address, const uint64_t* base, uint64_t offset);
// address[l] = (base[l] + offset) mod 2^32
void add_offset_32(uint64_t* address, const uint32_t* base, uint32_t offset);

// How the lanes' addresses lie to each other. A site's accesses mostly repeat one pattern at different places, so
// what is known of the pattern is kept with the site, and an access only asks whether it repeats.
struct AddressPattern {
  uint64_t version = 0;          // another number for each pattern that the site has had
  uint32_t mask = 0;             // lanes; 0: nothing seen yet
  int first = 0;                 // the lowest of them: deltas count from its address
  int64_t lowest = 0;            // delta of the lowest and of the highest address
  int64_t highest = 0;
  uint64_t bits = 0;             // all deltas or-ed: a low bit that is zero is zero in every delta
  bool contiguous = false;       // all 32 lanes, lane l at l × width
  uint32_t near_words = 0;       // all 32 lanes, whole words, 32 words apart at most: a bit for each word from the
                                 // lowest address to the highest; otherwise 0
  bool shares = false;           // two lanes have one address
  int distinct_count = 0;        // lanes that are the first with their address
  uint8_t distinct[32] = {};
  alignas(64) uint64_t delta[32] = {};
  alignas(64) uint32_t word[32] = {};     // with near_words: words above the lowest address
  alignas(64) uint64_t sharer[32] = {};   // 4 for lanes whose address another lane has too (SharedShadow's bit)
};

// Do the lanes of `mask` lie to each other as in the pattern?
bool repeats(const AddressPattern& pattern, const uint64_t* address, uint32_t mask, const uint32_t* lane_mask);
// Both in one pass for all 32 lanes: the addresses, and whether they repeat the pattern.
bool place_64(uint64_t* address, const uint64_t* base, uint64_t offset, const AddressPattern& pattern);
bool place_32(uint64_t* address, const uint32_t* base, uint32_t offset, const AddressPattern& pattern);

// to[l] = the 4 or 8 bytes at `distance` + address[l], all 32 lanes.
void gather_4(uint32_t* to, uint64_t distance, const uint64_t* address);
void gather_8(uint64_t* to, uint64_t distance, const uint64_t* address);
// to[l] = word pattern.word[l] behind `lowest`. Reads nothing outside of near_words. False: this host has no fast way.
bool pick_words(uint32_t* to, const uint8_t* lowest, const AddressPattern& pattern);
// The pattern of an access of `width` bytes a lane.
void describe(AddressPattern& pattern, const uint64_t* address, uint32_t mask, uint64_t width);

}  // namespace warpshop::emulator
