// Detects conflicts with a cp.async in flight, by any thread of the block: from its start until its
// thread waits, it may write its destination and read its source at any time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "checks/access_intent.h"
#include "state/copies_in_flight.h"

namespace warpshop::emulator {

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

// An access of `lanes` to shared memory that has passed the checks, at the addresses in
// EmulationThread::access.
void watch_destinations(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes,
                        AccessIntent intent);
// A store or an atomic in global memory, likewise.
void watch_sources(Warp& warp, const MicroOp* op, uint32_t lanes, int bytes, AccessIntent intent);

// The active lanes start a copy, whose bytes and addresses are known. Its destination counts as
// written from now on: reports conflicts with this interval's accesses and with other copies.
void watch_copy_start(Warp& warp, AsyncCopies::Copy& copy);
// Those lanes' copy arrives or is dropped.
void end_watch(Warp& warp, AsyncCopies::Copy& copy, uint32_t lanes);

}  // namespace warpshop::emulator
