// Stores that go down columns wait until their block's turn ends.
//
// A warp whose lanes store to 32 rows, a power of two apart, hits one set of the host's first cache 32 times, and the
// next warp, one word further, finds none of these lines there: a naive transpose waits for them most of the time. So
// such stores are kept, and made row by row when the block's turn ends, when there are many, or before anything else
// touches the buffer. (Measured: 1024² words in rows of 4 KiB, 6.8 ms store by store, 1.3 ms row by row, one core with
// a first cache of 48 KiB in 12 ways.)
//
// Nobody can tell: only buffers that the kernel merely stores to are treated like this (Region::stores_may_wait),
// and only where their words lie in lines of the watch for races that are the block's own (GlobalShadow). The words are
// noted there when they are written. Should another block have come to such a line meanwhile, the stores are checked and
// made one by one, in their order.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "memory/address_space.h"
#include "run/micro_op.h"
#include "run/warp.h"

namespace warpshop::emulator {

class ColumnStores {
 public:
  // Keeps a store of 32 words, lane l's at words[l], whose addresses are those of Worker::access and passed all checks
  // but that for races. False: it is none of this kind, nothing waits any more, and the caller has to make it.
  bool take(Warp& warp, const MicroOp* op, const Region& region, const AddressPattern& pattern, const uint32_t* words);
  // Makes all stores that wait.
  void flush(Worker& worker);

 private:
  static constexpr size_t kMostStores = 64;
  static constexpr size_t kMostLines = 4;
  struct Store {
    const MicroOp* op = nullptr;
    const DecodedFunction* function = nullptr;
    uint32_t warp = 0;
    uint64_t first = 0;         // address of lane 0
  };
  // Words of lane 0's row in one line of the watch; those of the other lanes lie likewise in theirs.
  struct Line {
    uint64_t offset = 0;        // of the line in the buffer
    uint32_t words = 0;
  };

  bool joins(uint64_t first, int64_t stride) const;
  bool add_line(uint64_t offset, uint64_t block);
  bool owns_all(uint64_t block) const;
  void write_rows();
  void write_one_by_one(Worker& worker);
  int64_t stride_of(const AddressPattern& pattern);
  uint64_t row(uint64_t of_first, size_t lane) const { return of_first + static_cast<uint64_t>(stride_) * lane; }

  const Region* region_ = nullptr;
  int64_t stride_ = 0;          // bytes from lane to lane
  uint64_t lowest_ = 0;         // address of lane 0 in all stores
  uint64_t highest_ = 0;
  const AddressPattern* seen_ = nullptr;   // the last pattern, and what came of it
  uint64_t seen_version_ = 0;
  int64_t seen_stride_ = 0;
  size_t count_ = 0;
  size_t lines_ = 0;
  std::array<Store, kMostStores> stores_;
  std::array<Line, kMostLines> line_;
  alignas(64) uint32_t words_[kMostStores][kWarpSize];
};

// Makes the worker's stores that wait, where there are any.
inline void flush_columns(Worker& worker) {
  if (worker.columns != nullptr) worker.columns->flush(worker);
}

}  // namespace warpshop::emulator
