// Blocks that wait for other blocks.
//
// An emulation thread runs one block after the other. A block in which every warp that could run goes round a loop that
// waits is put aside, and others run: new ones as long as the machine could hold them all at a time, then those that
// were put aside, in turns. So a flag that another block sets, a lock or a barrier of the whole grid ends the wait, as
// it does on a chip when the blocks are resident together; blocks that only fit later cannot be waited for.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/diagnostic.h"
#include "core/sentence.h"
#include "run/warp.h"

namespace warpshop::emulator {

// How many blocks of the launch the machine holds at a time. Without a number of its own in the limits: SMs of
// 2048 threads, 32 blocks and 228 KiB of shared memory, 1 KiB of them taken by each block (H200; CUDA Programming
// Guide, "Technical Specifications per Compute Capability", 9.0). Registers are not looked at.
uint64_t resident_blocks(const Launch& launch);

// The cause of a wait for what nobody does.
Sentence never_set();

// At the end of a round of turns: can nobody of the block go on before others change memory?
bool block_polls(const Worker& worker);

// Where blocks of other emulation threads wait, so that a deadlock can name two places.
class WaitingBoard {
 public:
  struct Entry {
    Dim3 block;
    SourcePlace place;
  };
  void write(int worker, const Entry& entry);
  void clear(int worker);
  // Of another thread than `worker`; false: none waits.
  bool find_other(int worker, Entry& entry) const;

 private:
  mutable std::mutex mutex_;
  std::map<int, Entry> entries_;
};

// How long the emulation thread's blocks have waited while nothing happened.
class WaitingTurns {
 public:
  explicit WaitingTurns(uint64_t most_resident) : most_resident_(most_resident) {}
  // A block has been parked. True: long enough to say that nothing will ever happen.
  bool in_vain(const Launch& launch, size_t parked);

 private:
  uint64_t most_resident_;
  uint64_t seen_ = 0;
  uint64_t turns_ = 0;
};

class Parking {
 public:
  Parking(WaitingBoard& board, int worker) : board_(board), worker_(worker) {}
  // Puts the worker's block aside.
  void park(Worker& worker);
  // Takes up the one that has waited for the longest time. Not empty.
  void resume(Worker& worker);
  bool empty() const { return blocks_.empty(); }
  size_t size() const { return blocks_.size(); }

  void resume_last(Worker& worker);

  // Says that the worker's block waits for what nobody does. `unstarted`: blocks of the grid that wait for a place.
  void report_deadlock(Worker& worker, uint64_t unstarted, uint64_t most_resident) const;
  // Adds to what is said of a loop that waits where another block waits.
  void tell_other_loop(Finding& finding) const;

 private:
  struct Parked {
    Block block;
    std::vector<std::unique_ptr<Warp>> running;
    Turns turns;
    WarpIdentity identity;
    uint64_t order_state = 0;
  };
  void unpark(Worker& worker, Parked& parked);
  WaitingBoard& board_;
  int worker_;
  std::deque<Parked> blocks_;
};

}  // namespace warpshop::emulator
