// Orders blocks at atomics whose result depends on the order, so that any number of emulation
// threads gives the same bits:
//
//   block 0  ────────A──A──|            a block waits at its first such atomic (A) until
//   block 1  ──A· · · · · ·A───|        all earlier blocks have ended; its work before that
//   block 2     ────A· · · · · · ·A──|  runs in parallel
//
// The result depends on the order if the kernel uses an atomic's return value (a position in a
// list, a compare-and-swap loop) or if the operations do not commute: sums of floats, exchanges,
// different operations on one buffer. Integer additions, minima, maxima and bit operations of one
// kind commute, so histograms and counts do not wait, unless the kernel also loads from that
// buffer: then such loads are ordered as well.
//
// A block that is suspended because it waits for other blocks (suspended_blocks.h) neither blocks
// others nor is ordered from then on.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "state/cache_line_padding.h"

namespace warpshop::emulator {

struct Launch;
struct EmulationThread;

class Turnstile {
 public:
  // Must precede the start of the threads.
  void begin(int workers) { running_ = PaddedVector<Running>(static_cast<size_t>(workers)); }
  // The thread is about to be given position `least` or a later one.
  void expect(int worker, uint64_t least) {
    running_[static_cast<size_t>(worker)].position.store(least);
  }
  // The thread runs the block at that position.
  void start(int worker, uint64_t position) { set(worker, position); }
  // The block has ended or no longer blocks others, or there was none.
  void leave(int worker) { set(worker, kNobody); }
  // Waits until every position before the thread's own has left, or the launch ends early.
  void wait(int worker, const std::atomic<bool>& halt) const;

 private:
  static constexpr uint64_t kNobody = ~uint64_t{0};
  struct alignas(kCacheLinePadding) Running {
    std::atomic<uint64_t> position{0};
  };
  // The position is later than the previous one, so another thread may be able to continue.
  void set(int worker, uint64_t position);
  bool is_next(int worker) const;

  PaddedVector<Running> running_;
  // Number of set() calls, for waiting threads.
  alignas(kCacheLinePadding) std::atomic<uint32_t> changes_{0};
};

// Determines which accesses of a launch on several threads are ordered; Launch::in_turn stays empty
// if none is. If any is, blocks must be scheduled in ascending order.
void take_turns_at_atomics(Launch& launch, int threads);
// The worker's next position from Launch::scheduler; false: none is left.
bool schedule_next(EmulationThread& worker, uint64_t& position);
// The worker's block has ended or is suspended: later blocks need not wait for it.
void leave_turnstile(EmulationThread& worker);

}  // namespace warpshop::emulator
