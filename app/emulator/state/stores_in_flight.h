// Which emulation threads are between the two halves of a store to memory that blocks share: first
// a shadow records it, then memory changes. A thread that finds such a record of another block
// compares its value with memory's, for equal values are no race: it has to wait for the second
// half.
#pragma once

#include <atomic>
#include <cstdint>

#include "state/cache_line_padding.h"

namespace warpshop::emulator {

class StoresInFlight {
 public:
  // Must precede the start of the threads. With one, nothing needs recording.
  void begin(int workers) {
    if (workers > 1) of_ = PaddedVector<Thread>(static_cast<size_t>(workers));
  }
  void start(int worker) {
    if (!of_.empty()) advance(worker, 1);
  }
  // Does nothing if no store of the thread is in flight.
  void end(int worker) {
    if (of_.empty()) return;
    advance(worker, 0);
    if (comparing_.load(std::memory_order_relaxed) == worker) comparing_.store(kNobody);
  }
  // From here to the thread's end() memory stays as it is where other blocks have stored or will:
  // their stores have been performed, or have yet to be compared. The latter are not in memory: two
  // threads that find each other's records first may take equal values for different ones, once in
  // some thousand launches that do nothing else (LaunchOptions::ends_at_block_races repeats them).
  // False: the launch ends early.
  bool compare_alone(int worker, const std::atomic<bool>& halt);

 private:
  static constexpr int kNobody = -1;

  struct alignas(kCacheLinePadding) Thread {
    std::atomic<uint32_t> number{0};  // odd while a store is in flight
    std::atomic<bool> queued{false};  // of those, one that has yet to be compared
  };
  // Only the thread itself changes its number.
  void advance(int worker, uint32_t parity) {
    std::atomic<uint32_t>& number = of_[static_cast<size_t>(worker)].number;
    const uint32_t before = number.load(std::memory_order_relaxed);
    if ((before & 1u) != parity) number.store(before + 1, std::memory_order_release);
  }

  PaddedVector<Thread> of_;
  std::atomic<int> comparing_{kNobody};
};

// From the record of a store to its end.
class StoreInFlight {
 public:
  StoreInFlight(StoresInFlight& stores, int worker) : stores_(stores), worker_(worker) {}
  ~StoreInFlight() { stores_.end(worker_); }
  StoreInFlight(const StoreInFlight&) = delete;
  StoreInFlight& operator=(const StoreInFlight&) = delete;

 private:
  StoresInFlight& stores_;
  int worker_;
};

}  // namespace warpshop::emulator
