// From the SMs of a whole chip to its memory: the way of an SM, or of a cluster of them, takes a transaction at a time
// and waits where the partition's queue is full; then L2, where there is one, and the partitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "predict/machine.h"
#include "predict/partition_queues.h"
#include "timing/memory_flow.h"

namespace warpshop::timing {

// A transaction: a multiple of 32 bytes inside an aligned 128, at a multiple of 32.
struct Piece {
  uint64_t packed = 0;  // the low five bits hold bytes / 32
  static Piece of(uint64_t address, uint32_t bytes) { return {address | bytes / 32}; }
  uint64_t address() const { return packed & ~uint64_t{31}; }
  uint32_t bytes() const { return static_cast<uint32_t>(packed & 31) * 32; }
};

struct ChipMemoryTotals {
  double pieces = 0;
  double idle = 0;          // turns of the ways without a piece
  double loads = 0;         // accesses of warps
  double load_latency = 0;  // sum over them
  double byte_cycles = 0;   // bytes of loads times the cycles that they were on their way
  double l2_busy = 0;       // busiest slice
};

class ChipMemory {
 public:
  // kFetch: of texels that the texture cache of the way has not.
  enum class Kind : uint8_t { kLoad, kStore, kAtomic, kFetch };
  static bool brings(Kind kind) { return kind == Kind::kLoad || kind == Kind::kFetch; }  // and leaves memory as it is
  // An access that has gone through: its values are there (a load, an atomic), or it has left the SM (a store).
  struct Finished {
    uint64_t ticket = 0;
    double time = 0;
  };

  explicit ChipMemory(const Machine& machine);

  // What L2 holds before the launch: a line (address / 128) of it; or, in all of it, data of others, the given part of
  // which was stored.
  void keep_in_l2(uint64_t line);
  void fill_l2(double stored_part);

  // SMs of a cluster share a way to memory.
  int ways() const { return static_cast<int>(ways_.size()); }
  int way_of(int sm) const { return sm / machine_.sms_a_way; }
  // Whether a way takes a further access now.
  bool accepts(int way) const {
    return ways_[static_cast<size_t>(way)].waiting < kMostWaiting * static_cast<size_t>(machine_.sms_a_way);
  }
  // Puts an access behind those that the way was given before; `pieces` outlive it. `idle`: turns that it takes beside
  // those of its pieces. The texture unit has a queue of its own: its fetches do not wait behind loads and stores, but for
  // the one that is being served.
  void ask(int way, double now, uint64_t ticket, Kind kind, const Piece* pieces, size_t count, size_t idle = 0);
  // When a way can do something next; infinity: it has nothing to do.
  double next_step(int way) const { return ways_[static_cast<size_t>(way)].next; }
  // Does it: `now` is next_step. Steps of all ways are made in the order of their times.
  std::optional<Finished> step(int way, double now);

  double drained() const;
  ChipMemoryTotals totals() const;
  // What L2 and DRAM move so far.
  MemoryFlow flow() const;
  const PartitionQueues& partitions() const { return dram_; }

 private:
  static constexpr size_t kMostWaiting = 64;  // pieces in front of a way, for each SM
  struct Line {
    uint64_t tag = ~uint64_t{0};
    uint8_t there = 0;
    uint8_t dirty = 0;
    uint64_t used = 0;
  };
  struct Access {
    uint64_t ticket = 0;
    Kind kind = Kind::kLoad;
    const Piece* pieces = nullptr;
    size_t count = 0;
    size_t idle = 0;
    size_t at = 0;       // pieces that have gone through
    double asked = 0;
    double done = 0;
  };
  struct Way {
    std::deque<Access> queue;
    size_t waiting = 0;  // pieces
    double free = 0;
    double next = std::numeric_limits<double>::infinity();
  };
  double room_for(const Access& access, double now) const;
  void pass(Access& access, double now);
  double through_l2(double at, uint64_t line, uint8_t sectors, Kind kind);
  Line& line_of(uint64_t tag, double at);
  double through_texture_l2(double at, uint64_t address);

  const Machine& machine_;
  PartitionQueues dram_;
  std::vector<Way> ways_;
  std::vector<double> slice_free_;
  std::vector<double> slice_busy_;
  std::vector<Line> lines_;         // of L2
  size_t sets_ = 0;
  uint64_t clock_ = 0;
  std::vector<TextureCache> texture_l2_;  // by partition
  ChipMemoryTotals totals_;
  MemoryFlow flow_;
};

}  // namespace warpshop::timing
