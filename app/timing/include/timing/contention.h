// Contention of a launch's atomics: how many lanes of one request want the same word, and how often
// each word is hit over the whole grid.
//
// Counts the lanes of `atom` and `red` as the back end issues them, so an atomic that it combines
// into one lane per warp counts as that lane. A word is what one lane changes, of 2 to 16 bytes; a
// vector atomic hits one word per element. Not counted: mbarrier objects, reductions in bulk (no
// lane of a warp performs them), and shared memory of a cluster's other blocks, whose accesses are
// not reported.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace warpshop::timing {

// Words of global memory that are counted one by one lie in this many pages of 4 KiB, those with
// the lowest addresses: 8 MiB of what atomics touch. Hits beyond are only summed. Shared memory is
// always counted in full.
inline constexpr size_t kContentionPages = 2048;
inline constexpr uint64_t kContentionPageBytes = 4096;

inline constexpr size_t kHottestWords = 64;

struct ContendedWord {
  std::string name;      // "histogram[17]"; empty until it is named
  uint64_t address = 0;  // global: of the device. Shared: bytes from the start of the block's
  uint64_t hits = 0;     // of all copies
  uint64_t copies = 1;   // of shared memory: blocks that hit theirs
  uint64_t most = 0;     // of the copy that is hit most
  bool operator==(const ContendedWord&) const = default;
};

// The atomics on one kind of memory, over the whole grid. Shared words of different blocks are
// different words.
struct Contention {
  static constexpr size_t kBuckets = 40;
  uint64_t requests = 0;  // warp instructions
  uint64_t hits = 0;      // lanes, times the elements of a vector
  uint64_t combined = 0;  // lanes whose values the back end combined with another's beforehand
  // Requests to shared memory in which every lane adds 1 and none uses the old value. Shared memory
  // counts a word's lanes at once (models::SharedAccess::kCountingAdd); all others take turns.
  uint64_t counted = 0;
  std::array<uint64_t, 33> requests_by_lanes{};    // [d]: those whose busiest word has d lanes
  std::array<uint64_t, kBuckets> words_by_hits{};  // [b]: words hit 2^b to 2^(b + 1) − 1 times
  uint64_t words = 0;                              // the sum of words_by_hits
  std::vector<ContendedWord> hottest;              // by `most`, the hottest first
  uint64_t hits_left_out = 0;                      // on words that are not counted one by one
  uint64_t first_left_out = 0;                     // their lowest possible address
  // Lanes on a request's busiest word, on average: the turns that its longest queue takes.
  double lanes_on_busiest() const;
  int most_lanes() const;  // of a single request
  bool operator==(const Contention&) const = default;
};

// Of one access site, global and shared together.
struct SiteContention {
  uint64_t requests = 0;
  uint64_t lanes_on_busiest = 0;  // lanes on the busiest word, summed over the requests
  bool operator==(const SiteContention&) const = default;
};

struct LaunchContention {
  Contention global, shared;
  std::vector<SiteContention> by_site;  // one per access site; empty without atomics
  // Whether the longest queues, over all requests, are those at shared memory.
  bool mostly_shared() const;
  bool any() const { return global.requests + shared.requests > 0; }
  bool operator==(const LaunchContention&) const = default;
};

}  // namespace warpshop::timing
