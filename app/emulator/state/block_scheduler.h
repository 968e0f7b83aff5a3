// Decides which emulation thread runs which block.
//
//   share of thread 0       share of thread 1
//   |▶▶▶▶▶▶▶········◀◀◀|    |▶▶▶▶▶▶▶▶▶▶▶▶▶▶▶▶▶▶|
//
// Each thread has a contiguous share of the blocks and runs it from the front (▶). A thread that
// has finished its own share steals from the back of another's (◀).
//
// Neighbouring blocks of the grid mostly touch neighbouring memory. With an interleaved schedule
// two threads would contend for the cache lines of the buffers and of their shadow memory.
// (Measured: transposes of 1024² on two cores ran only 1.3 to 1.6 times as fast as on one core when
// blocks were handed out one by one.)
//
// Kernels whose blocks depend on each other's order get them one by one, in ascending order.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "state/cache_line_padding.h"

namespace warpshop::emulator {

class BlockScheduler {
 public:
  // Must precede all calls of next(). `workers` >= 1.
  void begin(uint64_t blocks, int workers, bool in_order);
  // Gives the thread its next position in the order of blocks. False: none is left.
  bool next(int worker, uint64_t& position);
  // With `in_order`: the number of blocks handed out so far.
  uint64_t started_in_order() const;

 private:
  // Positions first … first + size - 1. `taken` counts those taken from the front in its low half
  // and from the back in its high half, so that one addition takes a block; a single share is only
  // taken from the front.
  struct alignas(kCacheLinePadding) Share {
    std::atomic<uint64_t> taken{0};
    uint64_t first = 0;
    uint64_t size = 0;
  };
  bool take_from_front(Share& share, uint64_t& position);
  bool take_from_back(Share& share, uint64_t& position);
  uint64_t left(const Share& share) const;

  std::vector<Share> shares_;
};

}  // namespace warpshop::emulator
