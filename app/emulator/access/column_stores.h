// Defers column-wise stores until their block's turn ends.
//
// If a warp's lanes store to 32 rows whose pitch is a power of two, all 32 stores hit the same set
// of the host's L1 cache, and the next warp, one word further, finds none of the lines: a naive
// transpose mostly waits for the cache. So such stores are buffered and performed row by row: when
// the block's turn ends, when there are many, or before anything else accesses the buffer.
// (Measured: 1024² words in rows of 4 KiB, 6.8 ms store by store, 1.3 ms row by row, one core with
// an L1 of 48 KiB, 12-way.)
//
// This is not observable: it applies only to buffers that the kernel only stores to
// (Region::stores_may_wait), and only to words in shadow lines that the block owns (GlobalShadow).
// The words are recorded there when they are written. If another block has touched such a line in
// the meantime, the stores are checked and performed one by one, in their order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "memory/address_space.h"
#include "state/emulation_thread.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

class ColumnStores {
 public:
  // Buffers a store of 32 words, lane l's at words[l], at the addresses in EmulationThread::access,
  // which have passed all checks except that for races. False: not a column-wise store; nothing is
  // buffered any more, and the caller has to perform it.
  bool take(Warp& warp, const MicroOp* op, const Region& region, const AddressPattern& pattern,
            const uint32_t* words);
  // Performs all buffered stores.
  void flush(EmulationThread& worker);

 private:
  static constexpr size_t kMostStores = 64;
  static constexpr size_t kMostLines = 4;
  struct Store {
    const MicroOp* op = nullptr;
    const DecodedFunction* function = nullptr;
    uint32_t warp = 0;
    uint64_t first = 0;  // address of lane 0
  };
  // Words of lane 0's row in one shadow line; the other lanes' words have the same positions in
  // theirs.
  struct Line {
    uint64_t offset = 0;  // of the line in the buffer
    uint32_t words = 0;
  };

  bool joins(uint64_t first, int64_t stride) const;
  bool add_line(uint64_t offset, uint64_t block);
  bool record_rows(uint64_t block);
  void write_rows();
  void write_one_by_one(EmulationThread& worker);
  int64_t stride_of(const AddressPattern& pattern);
  uint64_t row(uint64_t of_first, size_t lane) const {
    return of_first + static_cast<uint64_t>(stride_) * lane;
  }

  const Region* region_ = nullptr;
  int64_t stride_ = 0;   // bytes from lane to lane
  uint64_t lowest_ = 0;  // address of lane 0 in all stores
  uint64_t highest_ = 0;
  const AddressPattern* seen_ = nullptr;  // the last pattern, and its classification
  uint64_t seen_version_ = 0;
  int64_t seen_stride_ = 0;
  size_t count_ = 0;
  size_t lines_ = 0;
  std::array<Store, kMostStores> stores_;
  std::array<Line, kMostLines> line_;
  alignas(64) uint32_t words_[kMostStores][kWarpSize];
};

// Performs the worker's deferred stores, if any.
inline void flush_columns(EmulationThread& worker) {
  if (worker.columns != nullptr) worker.columns->flush(worker);
}

}  // namespace warpshop::emulator
