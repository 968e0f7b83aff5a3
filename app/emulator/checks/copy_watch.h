// Detects conflicts with a copy in flight, by any thread of the block: from the start of a cp.async
// until its thread waits, and of a cp.async.bulk until somebody finds the phase of its mbarrier
// object over, it may write its destination and read its source at any time. Likewise a wgmma reads
// its factors in shared memory at any time until its warp waits for its group.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "checks/access_intent.h"
#include "state/copies_in_flight.h"

namespace warpshop::emulator {

struct Block;
struct EmulationThread;

// The values that a copy writes when it arrives.
class CopiedValues final : public StoreValues {
 public:
  CopiedValues(const AsyncCopies::Copy& copy, size_t bytes) : copy_(copy), bytes_(bytes) {}
  void lane(int lane, uint8_t* to) const override {
    std::memcpy(to, copy_.bytes[static_cast<size_t>(lane)].data(), bytes_);
  }

 private:
  const AsyncCopies::Copy& copy_;
  size_t bytes_;
};

inline constexpr int kBulkPiece = 16;  // bytes that a copy in bulk moves at a time

class BulkPieceValues final : public StoreValues {
 public:
  explicit BulkPieceValues(const uint8_t* from, size_t bytes = kBulkPiece)
      : from_(from), bytes_(bytes) {}
  void lane(int, uint8_t* to) const override { std::memcpy(to, from_, bytes_); }

 private:
  const uint8_t* from_;
  size_t bytes_;
};

// An access of `lanes` to shared memory that has passed the checks, at the addresses in
// EmulationThread::access.
void watch_destinations(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes,
                        AccessIntent intent);
// Likewise an access by a warp that does not know of all copies in bulk that have arrived. It knows
// of those that came before it last found a phase over, passed a barrier, or looked at what other
// warps do by an atomic or strong load.
void watch_arrived_copies(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes,
                          AccessIntent intent);
void note_arrival(Block& block, const BulkCopy& copy);
// A store or an atomic in global memory, likewise.
void watch_sources(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent);

// The active lanes start a copy, whose bytes and addresses are known. Its destination counts as
// written from now on: reports conflicts with this interval's accesses and with other copies.
void watch_copy_start(Warp& warp, AsyncCopies::Copy& copy);
// Those lanes' copy arrives or is dropped.
void end_watch(Warp& warp, AsyncCopies::Copy& copy, uint32_t lanes);

// Likewise for a copy in bulk.
void watch_copy_start(Warp& warp, BulkCopy& copy);
void end_watch(Warp& warp, BulkCopy& copy);
// Likewise for one into the memory of another block of the cluster: its accesses until the wait are
// watched.
void watch_remote_copy(Warp& warp, BulkCopy& copy, Block& owner);

// A copy from shared memory starts, or has read its source, which must not change in between.
void watch_source_start(Warp& warp, BulkStore& store);
void end_source_watch(Warp& warp, BulkStore& store);
// A wgmma is issued, or its warp has waited for it: its factors must not change in between.
void watch_product_start(Warp& warp, const PendingProduct& product);
void end_product_watch(Warp& warp, const PendingProduct& product);
// Reports ordinary stores to the block's shared memory that a copy issued now may not see, or, with
// `by_product`, a wgmma.mma_async.
void check_proxy_writes(Warp& warp, const MicroOp* op, int lane, uint64_t from, uint64_t bytes,
                        bool by_product = false);

// Watches the copies that are in flight after a replay has gone back.
void watch_restored_copies(EmulationThread& worker);

}  // namespace warpshop::emulator
