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
    if (!of_.empty()) advance(worker, 0);
  }
  // Waits for the stores of other threads that are in flight now. False if not all have been
  // performed: the launch ends early, or another one waits in the midst of a store as well. Of
  // several such threads, one stays until the others have stored.
  bool wait_for_others(int worker, const std::atomic<bool>& halt);

 private:
  struct alignas(kCacheLinePadding) Thread {
    std::atomic<uint32_t> number{0};  // odd while a store is in flight
    std::atomic<bool> waits{false};
  };
  // Only the thread itself changes its number.
  void advance(int worker, uint32_t parity) {
    std::atomic<uint32_t>& number = of_[static_cast<size_t>(worker)].number;
    const uint32_t before = number.load(std::memory_order_relaxed);
    if ((before & 1u) != parity) number.store(before + 1, std::memory_order_release);
  }
  bool wait_for(size_t other, size_t self, const std::atomic<bool>& halt) const;

  PaddedVector<Thread> of_;
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
