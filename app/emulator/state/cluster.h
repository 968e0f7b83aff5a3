// A cluster: blocks that are resident together, meet at a barrier of their own and may access each
// other's shared memory. PTX ISA §2.2.2 "Cluster of Cooperative Thread Arrays".
//
//   an address of shared memory   bits 0..24 byte in the block's own part (address_space.h)
//                                 bits 25..29 0: of the block that uses it; else its rank + 1
#pragma once

#include <cstdint>
#include <set>
#include <utility>
#include <vector>

namespace warpshop::emulator {

struct Block;

inline constexpr int kRankShift = 25;
inline constexpr uint64_t kMappedOffset = (uint64_t{1} << kRankShift) - 1;
// What mapa gives for a rank that is not in the cluster: every access is rejected, and the finding
// is mapa's.
inline constexpr uint64_t kNoRank = 31;
inline constexpr uint64_t rank_field(uint64_t address) { return (address >> kRankShift) & 31; }
inline constexpr uint64_t mapped_address(uint64_t offset, uint64_t rank) {
  return (offset & kMappedOffset) | (rank + 1) << kRankShift;
}

struct Cluster {
  // By rank; a member's block has Block::ended once its last thread has exited. The running one is
  // the emulation thread's, so the addresses change at each turn.
  std::vector<Block*> members;

  // The barrier: barrier.cluster. PTX ISA §9.7.13.3.
  uint32_t phase = 0;       // completed so far
  uint32_t arrived = 0;     // warps, in the running phase
  uint32_t live_warps = 0;  // that have not exited

  // Time of the race watch (shadows/cluster_shadow.h): advances with each access between blocks.
  uint64_t now = 1;
  uint64_t floor = 0;  // everything before it is ordered before everything after it
  // mbarrier objects at which other blocks than their own arrive: rank and byte.
  std::set<std::pair<uint32_t, uint64_t>> shared_objects;
};

}  // namespace warpshop::emulator
