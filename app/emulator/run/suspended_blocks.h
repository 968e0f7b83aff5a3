// Blocks that wait for other blocks.
//
// An emulation thread runs one block at a time. A block in which every warp that could run is in a
// waiting loop is suspended, and others run: first new ones, up to the number that the machine
// holds at once, then the suspended ones in turn. So a flag set by another block, a lock or a
// grid-wide barrier ends the wait, as on a chip on which the blocks are resident together. Blocks
// beyond that number cannot be waited for.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

#include "core/diagnostic.h"
#include "core/sentence.h"
#include "state/emulation_thread.h"

namespace warpshop::emulator {

// With a seed: blocks at a time that gave way in the middle of their work. One for which all others
// wait then has its turn soon.
inline constexpr uint64_t kMostGivenWay = 16;

// The number of the launch's blocks that the machine holds at once. Unless the limits give it: SMs
// of 2048 threads, 32 blocks and 228 KiB of shared memory, of which each block takes an extra 1 KiB
// (H200; CUDA Programming Guide, "Technical Specifications per Compute Capability", 9.0). Register
// use is ignored.
uint64_t resident_blocks(const Launch& launch);

// True if blocks may be suspended: in kernels with loops that wait for other blocks, and, with a
// seed, in all in which blocks can meet at a word of memory.
bool blocks_take_turns(const Launch& launch);

// Explains a wait for an event that never happens.
Sentence never_set();

// True if every warp that could run is polling memory; checked once per scheduling round.
bool block_polls(const EmulationThread& worker);

// Where blocks of other emulation threads wait, so that a deadlock report can name two places.
class WaitingBoard {
 public:
  struct Entry {
    Dim3 block;
    SourcePlace place;
  };
  void write(int worker, const Entry& entry);
  void clear(int worker);
  // A block of another thread than `worker`; false: none waits.
  bool find_other(int worker, Entry& entry) const;

 private:
  mutable std::mutex mutex_;
  std::map<int, Entry> entries_;
};

// How long an emulation thread's blocks have waited without any progress in the launch.
class WaitingTurns {
 public:
  explicit WaitingTurns(uint64_t most_resident) : most_resident_(most_resident) {}
  // To be called after each suspension. True: the wait is long enough to call it a deadlock.
  bool is_deadlock(const Launch& launch, size_t suspended);

 private:
  uint64_t most_resident_;
  uint64_t seen_ = 0;
  uint64_t turns_ = 0;
};

class SuspendedBlocks {
 public:
  SuspendedBlocks(WaitingBoard& board, int worker) : board_(board), worker_(worker) {}
  // Suspends the worker's block.
  void suspend(EmulationThread& worker);
  // Resumes the block that has waited longest. Not empty.
  void resume(EmulationThread& worker);
  bool empty() const { return blocks_.empty(); }
  size_t size() const { return blocks_.size(); }

  void resume_last(EmulationThread& worker);

  // Reports that the worker's block waits forever. `unstarted`: blocks of the grid that have not
  // become resident.
  void report_deadlock(EmulationThread& worker, uint64_t unstarted, uint64_t most_resident) const;
  // Adds the place where another block waits to the finding about a waiting loop.
  void add_other_loop(Finding& finding) const;

 private:
  struct Suspended {
    Block block;
    std::vector<std::unique_ptr<Warp>> running;
    Turns turns;
    WarpIdentity identity;
    uint64_t order_state = 0;
  };
  void restore(EmulationThread& worker, Suspended& suspended);
  WaitingBoard& board_;
  int worker_;
  std::deque<Suspended> blocks_;
};

}  // namespace warpshop::emulator
