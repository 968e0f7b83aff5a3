// Loops over a warp's 32 addresses, compiled for the host's widest vectors.
#pragma once

#include <cstdint>

namespace warpshop::emulator {

// address[l] = base[l] + offset
void add_offset_64(uint64_t* address, const uint64_t* base, uint64_t offset);
// address[l] = (base[l] + offset) mod 2^32
void add_offset_32(uint64_t* address, const uint32_t* base, uint32_t offset);

// The stride pattern of the lanes' addresses. A site's accesses mostly repeat one pattern at
// different addresses, so facts about the pattern are cached with the site, and an access only
// checks whether it repeats.
struct AddressPattern {
  uint64_t version = 0;  // unique for each pattern that the site has had
  uint32_t mask = 0;     // lanes; 0: no access yet
  int first = 0;         // the lowest lane: deltas are relative to its address
  int64_t lowest = 0;    // smallest and largest delta
  int64_t highest = 0;
  uint64_t bits = 0;        // OR of all deltas: a low bit that is zero is zero in every delta
  bool contiguous = false;  // all 32 lanes, lane l at l × width
  uint32_t near_words = 0;  // all 32 lanes, whole words, at most 32 words apart: a bit for each
                            // word from the lowest address to the highest; otherwise 0
  bool shares = false;      // two lanes have the same address
  int distinct_count = 0;   // lanes that are the first with their address
  uint8_t distinct[32] = {};
  alignas(64) uint64_t delta[32] = {};
  alignas(64) uint32_t word[32] = {};  // with near_words: words above the lowest address
  // 4 if another lane has the same address (SharedShadow's bit).
  alignas(64) uint64_t sharer[32] = {};
};

// True if the lanes of `mask` repeat the pattern.
bool repeats(const AddressPattern& pattern, const uint64_t* address, uint32_t mask,
             const uint32_t* lane_mask);
// Both in one pass for all 32 lanes: computes the addresses and compares them with the pattern.
bool place_64(uint64_t* address, const uint64_t* base, uint64_t offset,
              const AddressPattern& pattern);
bool place_32(uint64_t* address, const uint32_t* base, uint32_t offset,
              const AddressPattern& pattern);

// to[l] = the 4 or 8 bytes at `distance` + address[l], all 32 lanes.
void gather_4(uint32_t* to, uint64_t distance, const uint64_t* address);
void gather_8(uint64_t* to, uint64_t distance, const uint64_t* address);
// to[l] = word pattern.word[l] after `lowest`. Reads only words in near_words. False: not supported
// on this host.
bool pick_words(uint32_t* to, const uint8_t* lowest, const AddressPattern& pattern);
// Computes the pattern of an access of `width` bytes per lane.
void describe(AddressPattern& pattern, const uint64_t* address, uint32_t mask, uint64_t width);

}  // namespace warpshop::emulator
