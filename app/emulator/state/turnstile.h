// Orders blocks at atomics whose result depends on the order, so that any number of emulation
// threads gives the same bits (run/atomics_in_turn.h determines which atomics):
//
//   block 0  ────────A──A──|            a block waits at its first such atomic (A) until
//   block 1  ──A· · · · · ·A───|        all earlier blocks have ended; its work before that
//   block 2     ────A· · · · · · ·A──|  runs in parallel
//
// A block that is suspended because it waits for other blocks (suspended_blocks.h) neither blocks
// others nor is ordered from then on.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "state/cache_line_padding.h"

namespace warpshop::emulator {

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

}  // namespace warpshop::emulator
