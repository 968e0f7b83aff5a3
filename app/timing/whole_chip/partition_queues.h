// DRAM partitions, each with a queue. Requests are served in order, except that a request joins its
// row if that row is being served or is among the last ones queued. Opening a row takes a minimum
// time, however few bytes are transferred.
//
// Source: a first-ready, first-come scheduler (Rixner et al., "Memory Access Scheduling", ISCA
// 2000); constants from the profile. docs/models.md, "Time on older GPUs".
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "whole_chip/figures.h"

namespace warpshop::timing {

class PartitionQueues {
 public:
  explicit PartitionQueues(const WholeChipFigures& chip)
      : map_(chip.partitions),
        byte_cycles_(chip.byte_cycles),
        row_read_(chip.row_read),
        row_write_(chip.row_write),
        row_bytes_(chip.row_bytes),
        depth_(chip.queue_requests),
        partitions_(static_cast<size_t>(chip.partitions.count)) {
    for (Partition& p : partitions_) {
      for (Side& side : p.sides) side.rows.resize(depth_);
      p.ends.assign(depth_, 0.0);
    }
  }

  // Returns when a request arriving at `now` completes; it must not cross a partition boundary.
  double ask(uint64_t address, uint32_t bytes, double now, bool writes) {
    const auto number = static_cast<size_t>(models::partition_of(map_, address));
    Partition& p = partitions_[number];
    const uint64_t local = address / map_.bytes / static_cast<uint64_t>(map_.count) * map_.bytes +
                           address % map_.bytes;
    const uint64_t row = local / row_bytes_;
    const double transfer = bytes * byte_cycles_;
    Side& side = p.sides[writes ? 1 : 0];
    ++side.requests;
    bytes_[writes ? 1 : 0] += bytes;
    const double opening = writes ? row_write_ : row_read_;
    Row* open = nullptr;
    for (size_t n = 0; n < depth_ && open == nullptr; ++n) {
      Row& r = side.rows[(side.last + depth_ - n) % depth_];
      if (r.id == row && r.end > now && side.requests - r.last < depth_) open = &r;
    }
    if (open != nullptr) {
      const double before = std::max(open->least, open->transfer);
      open->transfer += transfer;
      const double more = std::max(open->least, open->transfer) - before;
      p.free += more;
      p.busy += more;
      note(number, p.free, more);
      open->end += more;
      open->last = side.requests;
      return leaves(p, std::max(open->end, now + transfer));
    }
    const bool still_open = side.rows[side.last].id == row && p.free <= now;
    const double least = still_open ? 0 : opening;
    const double cost = std::max(least, transfer);
    p.free = std::max(p.free, now) + cost;
    p.busy += cost;
    note(number, p.free, cost);
    side.last = (side.last + 1) % depth_;
    side.rows[side.last] = {
        .id = row, .transfer = transfer, .least = least, .end = p.free, .last = side.requests};
    return leaves(p, p.free);
  }

  // When the queue of the address's partition can accept another request.
  double accepts(uint64_t address, double now) const {
    const Partition& p = partitions_[static_cast<size_t>(models::partition_of(map_, address))];
    return std::max(now, p.ends[p.next_end]);
  }
  double drained() const {
    double last = 0;
    for (const Partition& p : partitions_) last = std::max(last, p.free);
    return last;
  }
  double bytes(bool writes) const { return bytes_[writes ? 1 : 0]; }
  std::vector<double> busy() const {
    std::vector<double> out;
    for (const Partition& p : partitions_) out.push_back(p.busy);
    return out;
  }

  // Busy cycles of whichever partition is the busiest in each time window, summed over windows.
  // Equals one partition's work if the load is balanced; longer if the queue moves from one
  // partition to the next, even if each does the same work over the whole launch.
  double busiest_in_turn() const {
    double sum = 0;
    for (size_t at = 0; at + partitions_.size() <= in_stretch_.size(); at += partitions_.size()) {
      const auto begin = in_stretch_.begin() + static_cast<std::ptrdiff_t>(at);
      sum += *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(partitions_.size()));
    }
    return sum;
  }

 private:
  static constexpr double kStretch = 2048;  // cycles: many requests of a partition, few of a block

  void note(size_t number, double end, double cost) {
    const size_t at =
        static_cast<size_t>(std::max(0.0, end - cost) / kStretch) * partitions_.size() + number;
    if (at >= in_stretch_.size())
      in_stretch_.resize((at / partitions_.size() + 1) * partitions_.size());
    in_stretch_[at] += cost;
  }

  struct Row {
    uint64_t id = ~uint64_t{0};
    double transfer = 0;
    double least = 0;
    double end = 0;
    uint64_t last = 0;  // per-side index of the last request to this row
  };
  struct Side {             // reads or writes, which are gathered separately
    std::vector<Row> rows;  // the last ones
    size_t last = 0;
    uint64_t requests = 0;
  };
  struct Partition {
    std::array<Side, 2> sides;
    double free = 0;
    double busy = 0;
    std::vector<double> ends;  // of the last requests, as many as the queue holds
    size_t next_end = 0;
  };
  static double leaves(Partition& p, double end) {
    p.ends[p.next_end] = end;
    p.next_end = (p.next_end + 1) % p.ends.size();
    return end;
  }
  models::PartitionMap map_;
  double byte_cycles_;
  double row_read_;
  double row_write_;
  uint64_t row_bytes_;
  uint32_t depth_;
  std::vector<Partition> partitions_;
  std::array<double, 2> bytes_{};   // read, written
  std::vector<double> in_stretch_;  // busy cycles by window and partition
};

}  // namespace warpshop::timing
