// Which emulation thread runs which block.
//
//   share 0            share 1            each thread has a share of neighbouring blocks and runs
//   it from the front; |▶▶▶▶▶······◀◀◀|   |▶▶▶▶▶▶▶▶▶▶▶▶▶▶|   who has run all of its own takes
//   others' blocks from the back
//
// Blocks that lie side by side in the grid mostly touch neighbouring memory. Dealt one by one, two
// threads would come to the same cache lines of the buffers and of the watches' shadows all the
// time. (Measured: transposes of 1024² on two cores, 1.3 to 1.6 times one core's speed when blocks
// were dealt one by one.)
//
// Blocks that need it are dealt one by one, in their order.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "run/own_lines.h"

namespace warpshop::emulator {

class BlockDealing {
 public:
  // Before any thread asks. `workers` >= 1.
  void begin(uint64_t blocks, int workers, bool in_order);
  // Gives the thread its next block's turn. False: none is left.
  bool next(int worker, uint64_t& turn);
  // Blocks that have been given to a thread, when they are dealt in order.
  uint64_t begun_in_order() const;

 private:
  // Turns first … first + size - 1. `taken` counts those taken from the front in its low half and
  // from the back in its high half, so that one addition takes a block; a single share has no back.
  struct alignas(kOwnLines) Share {
    std::atomic<uint64_t> taken{0};
    uint64_t first = 0;
    uint64_t size = 0;
  };
  bool take_from_front(Share& share, uint64_t& turn);
  bool take_from_back(Share& share, uint64_t& turn);
  uint64_t left(const Share& share) const;

  std::vector<Share> shares_;
};

}  // namespace warpshop::emulator
