// Copies from global to shared memory that have started and not arrived: cp.async and
// cp.async.bulk.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "emulator/access.h"
#include "state/micro_op.h"

namespace warpshop::emulator {

struct DecodedFunction;

// Copies that a warp's threads have started but not yet waited for. The source is read when the
// copy starts (the manual allows any time up to the wait); shared memory changes at the wait.
// Conflicting accesses between the two are reported (checks/copy_watch.h). A copy that is never
// waited for never arrives.
struct AsyncCopies {
  struct Copy {
    const MicroOp* op = nullptr;  // the cp.async, for findings and its site
    const DecodedFunction* function = nullptr;
    uint32_t lanes = 0;                      // lanes whose part has not arrived
    uint32_t watched = 0;                    // of these, the lanes recorded in PendingCopies
    std::array<uint64_t, kWarpSize> to{};    // shared address
    std::array<uint64_t, kWarpSize> from{};  // global address
    std::array<uint8_t, kWarpSize> from_bytes{};
    std::array<uint32_t, kWarpSize> group{};  // the copy's group, numbered per thread
    std::array<std::array<uint8_t, 16>, kWarpSize> bytes{};
  };
  // Warp objects are reused for other blocks: copies of another block's warp are dropped.
  uint64_t block = ~uint64_t{0};
  uint32_t warp = 0;
  std::vector<Copy> pending;                 // in the order of their start
  std::array<uint32_t, kWarpSize> groups{};  // committed by each thread so far

  std::array<uint32_t, kWarpSize> open_bytes{};  // of each thread's group that is not committed

  // Committed groups of a thread with copies that have not arrived, at least half as large as
  // `largest_group` bytes: a few words beside the tile are no tile in flight.
  uint32_t groups_in_flight(size_t lane, uint32_t largest_group) const {
    uint32_t count = 0;
    for (size_t first = 0; first < pending.size();) {
      const uint32_t group = pending[first].group[lane];
      if (group >= groups[lane]) break;  // not committed, like those started later
      uint32_t bytes = 0;
      for (; first < pending.size() && pending[first].group[lane] == group; ++first) {
        if ((pending[first].lanes >> lane) & 1u) bytes += pending[first].from_bytes[lane];
      }
      if (bytes > 0 && 2 * bytes >= largest_group) ++count;
    }
    return count;
  }
};

// Combines elements of `bytes` bytes at `value` with those at `at`: cp.reduce and red.async.
// `shared`: in shared memory, where no other emulation thread writes.
using Reduction = void (*)(uint8_t* at, const uint8_t* value, size_t bytes, bool shared);

// A thread's copy in flight into shared memory, in the list of the block that has the destination
// and the mbarrier object.
struct BulkCopy {
  const MicroOp* op = nullptr;  // the write's, for findings and its site
  const DecodedFunction* function = nullptr;
  uint32_t warp = 0;
  int lane = 0;
  uint64_t from = 0;           // in global memory
  uint64_t to = 0;             // bytes of the block's shared memory
  uint64_t barrier = 0;        // likewise
  uint32_t counted_bytes = 0;  // subtracted by complete_tx
  std::vector<uint8_t> bytes;  // empty: a finding explains why nothing was copied
  bool watched = false;        // recorded in PendingCopies
  uint32_t rank = 0;           // of the block that issued it
  bool from_shared = false;    // `from` is a byte of that block's memory
  int swizzle = 0;             // of the destination, as CUtensorMapSwizzle
  uint32_t row_bytes = 0;      // of a box whose rows do not follow each other; 0: one row
  uint32_t row_pitch = 0;      // from one of its rows to the next
  Reduction reduction = nullptr;

  // Where the byte `at` of `bytes` goes, before the swizzle.
  uint64_t place_of(uint64_t at) const {
    return to + (row_bytes == 0 ? at : at / row_bytes * row_pitch + at % row_bytes);
  }
  // Bytes of shared memory from the first to the last.
  uint64_t extent() const { return bytes.empty() ? 0 : place_of(bytes.size() - 1) + 1 - to; }
};

// A copy in bulk that has arrived. Only warps that have since met the one that waited for it know.
struct ArrivedCopy {
  const MicroOp* op = nullptr;  // as in BulkCopy
  uint64_t to = 0;
  uint64_t bytes = 0;
  uint64_t number = 0;  // Block::arrivals then
};

// A thread's copy in flight from shared to global memory, which belongs to a bulk group. Its source
// is read when it is issued; global memory changes when the thread waits for the group, or exits.
struct BulkStore {
  const MicroOp* op = nullptr;  // with the site of global memory
  const DecodedFunction* function = nullptr;
  uint32_t warp = 0;
  int lane = 0;
  uint64_t from = 0;  // bytes of the block's shared memory
  uint32_t from_bytes = 0;
  uint32_t group = 0;    // numbered per thread
  bool reading = false;  // its source is recorded in PendingCopies
  Reduction reduction = nullptr;
  int element_bytes = 16;  // unit of alignment in global memory
  struct Piece {
    uint64_t to = 0;  // in global memory
    uint32_t at = 0;  // in `bytes`
    uint32_t bytes = 0;
  };
  std::vector<Piece> pieces;
  std::vector<uint8_t> bytes;
};

// A warp's wgmma.mma_async that has not been waited for: until then it may read its factors in
// shared memory.
struct PendingProduct {
  const MicroOp* op = nullptr;
  const DecodedFunction* function = nullptr;
  uint32_t warp = 0;
  uint32_t group = 0;               // numbered per warp
  std::vector<uint64_t> addresses;  // of pieces of 16 bytes, recorded in PendingCopies
};

}  // namespace warpshop::emulator
