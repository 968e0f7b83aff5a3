// Memory of a whole chip as seen from its SMs. A memory port, shared by a cluster of SMs or owned
// by one, accepts one transaction at a time and stalls while the partition's queue is full. Behind
// it come L2, if there is one, and the partitions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <optional>
#include <vector>

#include "timing/memory_flow.h"
#include "whole_chip/figures.h"
#include "whole_chip/partition_queues.h"

namespace warpshop::timing {

// A transaction: a multiple of 32 bytes within an aligned 128-byte line, aligned to 32.
struct Piece {
  uint64_t packed = 0;  // the low five bits hold bytes / 32
  static Piece of(uint64_t address, uint32_t bytes) { return {address | bytes / 32}; }
  uint64_t address() const { return packed & ~uint64_t{31}; }
  uint32_t bytes() const { return static_cast<uint32_t>(packed & 31) * 32; }
};

struct ChipMemoryTotals {
  double pieces = 0;
  double idle = 0;          // port slots without a piece
  double loads = 0;         // warp accesses
  double load_latency = 0;  // summed over loads
  double byte_cycles = 0;   // bytes of loads × cycles in flight
  double l2_busy = 0;       // busiest slice
};

class ChipMemory {
 public:
  // kFetch: texels that missed in the port's texture cache.
  enum class Kind : uint8_t { kLoad, kStore, kAtomic, kFetch };
  // and leaves memory unchanged
  static bool brings(Kind kind) { return kind == Kind::kLoad || kind == Kind::kFetch; }
  // A completed access: its values have arrived (load, atomic), or it has left the SM (store).
  struct Finished {
    uint64_t ticket = 0;
    double time = 0;
  };

  explicit ChipMemory(const WholeChipFigures& chip);

  // The state of L2 before the launch: a line (address / 128) that it holds, or an L2 full of other
  // data, of which `stored_part` is dirty.
  void keep_in_l2(uint64_t line);
  void fill_l2(double stored_part);

  // SMs of a cluster share a memory port.
  int ports() const { return static_cast<int>(ports_.size()); }
  int port_of(int sm) const { return sm / chip_.sms_per_port; }
  // True if a port can accept another access now.
  bool accepts(int port) const {
    return ports_[static_cast<size_t>(port)].waiting <
           kMostWaiting * static_cast<size_t>(chip_.sms_per_port);
  }
  // Queues an access at a port; `pieces` must outlive it. `idle`: port slots it uses beyond those
  // for its pieces. The texture unit has its own queue: its fetches do not wait for queued loads
  // and stores, only for the access being served.
  void ask(int port, double now, uint64_t ticket, Kind kind, const Piece* pieces, size_t count,
           size_t idle = 0);
  // When a port can next make progress; infinity if it has no work.
  double next_step(int port) const { return ports_[static_cast<size_t>(port)].next; }
  // Makes that progress; `now` must be next_step(). Steps of all ports must be made in time order.
  std::optional<Finished> step(int port, double now);

  double drained() const;
  ChipMemoryTotals totals() const;
  // Traffic of L2 and DRAM so far.
  MemoryFlow flow() const;
  const PartitionQueues& partitions() const { return dram_; }

 private:
  static constexpr size_t kMostWaiting = 64;  // pieces queued at a port, per SM
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
    size_t at = 0;  // pieces that have gone through
    double asked = 0;
    double done = 0;
  };
  struct Port {
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

  const WholeChipFigures& chip_;
  PartitionQueues dram_;
  std::vector<Port> ports_;
  std::vector<double> slice_free_;
  std::vector<double> slice_busy_;
  std::vector<Line> lines_;  // of L2
  size_t sets_ = 0;
  uint64_t clock_ = 0;
  std::vector<TextureCache> texture_l2_;  // by partition
  ChipMemoryTotals totals_;
  MemoryFlow flow_;
};

}  // namespace warpshop::timing
