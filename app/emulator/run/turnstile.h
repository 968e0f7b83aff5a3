// The order in which blocks come to atomics whose outcome depends on it, whatever the number of emulation threads:
//
//   block 0  ────────A──A──|            a block waits at its first such atomic (A) until all blocks before it have
//   block 1  ──A· · · · · ·A───|        ended; what it does before that goes on side by side
//   block 2     ────A· · · · · · ·A──|
//
// The outcome depends on the order where somebody reads an atomic's result (a place in a list, a compare-and-swap loop),
// and where operations do not commute: sums of floats, exchanges, several kinds of operation on one buffer. Integer
// additions, minima, maxima and bit operations of one kind do, so histograms and counts wait for nobody, unless the kernel
// loads from that buffer, too: such loads come in turn as well.
//
// A block that is put aside since it waits for other blocks (parking.h) holds nobody up from then on, and is not held up.
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "run/own_lines.h"

namespace warpshop::emulator {

struct Launch;
struct Worker;

class Turnstile {
 public:
  // Before any thread runs.
  void begin(int workers) { running_ = OwnLinesVector<Running>(static_cast<size_t>(workers)); }
  // The thread is about to be dealt a turn, `least` or a later one.
  void expect(int worker, uint64_t least) { running_[static_cast<size_t>(worker)].turn.store(least); }
  // It runs that turn's block.
  void start(int worker, uint64_t turn) { set(worker, turn); }
  // The block has ended or holds nobody up any more, or there was none.
  void leave(int worker) { set(worker, kNobody); }
  // Until every turn before the thread's own has left, or the launch ends early.
  void wait(int worker, const std::atomic<bool>& halt) const;

 private:
  static constexpr uint64_t kNobody = ~uint64_t{0};
  struct alignas(kOwnLines) Running {
    std::atomic<uint64_t> turn{0};
  };
  // A turn later than the one before it, so somebody may go on.
  void set(int worker, uint64_t turn);
  bool is_next(int worker) const;

  OwnLinesVector<Running> running_;
  alignas(kOwnLines) std::atomic<uint32_t> changes_{0};   // how often a turn was set, for those that wait
};

// Finds out which accesses of a launch on several threads come in turn: Launch::in_turn stays empty if none does. Blocks have
// to be dealt in their order if any does.
void take_turns_at_atomics(Launch& launch, int threads);
// The worker's next turn of Launch::dealing; false: none is left.
bool deal_in_turn(Worker& worker, uint64_t& turn);
// The worker's block has ended or is put aside: blocks after it need not wait for it.
void leave_turnstile(Worker& worker);

}  // namespace warpshop::emulator
