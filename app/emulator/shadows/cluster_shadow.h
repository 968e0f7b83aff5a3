// Tracks accesses to a block's shared memory by the blocks of its cluster, and finds races between
// them. Accesses by a block's threads to their own memory are SharedShadow's.
//
// The threads of a cluster meet at its barrier in lockstep: what a thread did before its arrival
// number n happens before what another does after its wait number n. A thread between its arrival n
// and the next has made n arrivals; one that has completed w waits sees accesses with n < w.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace warpshop::emulator {

struct ClusterTouch {
  uint64_t time = 0;      // Cluster::now; 0: none
  uint32_t arrivals = 0;  // of the thread at the cluster's barrier, so far
  uint32_t interval = 0;  // of its block, between two of that block's barriers
  uint32_t site = 0;
  uint16_t thread = 0;  // in its block
  uint8_t rank = 0;
  bool atomic = false;
};

// A pair of accesses that no barrier separates.
struct ClusterHazard {
  int lane = 0;
  uint64_t address = 0;  // byte of the owner's memory
  ClusterTouch other;
  bool other_wrote = false;
};

class ClusterShadow {
 public:
  // `granule_bytes`: 1 or 4.
  void configure(uint32_t size_bytes, uint32_t granule_bytes);
  // Another cluster's block: everything before this time is forgotten.
  void start_block(uint64_t now) { start_ = now; }

  struct Access {
    ClusterTouch who;
    uint32_t waits = 0;  // completed by the thread at the cluster's barrier
    uint64_t floor = 0;  // Cluster::floor
    uint32_t owner = 0;  // rank
    uint64_t address = 0;
    int bytes = 4;
    int lane = 0;
  };
  void on_read(const Access& access, std::vector<ClusterHazard>& hazards);
  void on_write(const Access& access, std::vector<ClusterHazard>& hazards);
  // The hazards of a write that happens later, as in on_write; records no write yet.
  void before_write(const Access& access, std::vector<ClusterHazard>& hazards) const;

 private:
  // The first one, and the one behind the last.
  std::pair<uint64_t, uint64_t> granules_of(const Access& access) const;

  struct Granule {
    ClusterTouch write;
    ClusterTouch reads[2];  // the latest ones of two blocks
  };
  bool conflicts(const ClusterTouch& other, const Access& access) const;

  int shift_ = 2;
  uint64_t start_ = 0;
  std::vector<Granule> granules_;
};

}  // namespace warpshop::emulator
