// Cancellation and progress of a long job on another thread.
#pragma once

#include <atomic>
#include <functional>
#include <string_view>

namespace warpshop {

// Shared by the requester and the worker, which polls it at least every few milliseconds.
class StopFlag {
 public:
  void request() { requested_.store(true, std::memory_order_relaxed); }
  void reset() { requested_.store(false, std::memory_order_relaxed); }
  bool requested() const { return requested_.load(std::memory_order_relaxed); }

 private:
  std::atomic<bool> requested_{false};
};

// Called from worker threads with the name of the stage and the fraction done, 0 to 1.
using ProgressFunction = std::function<void(std::string_view stage, double fraction)>;

}  // namespace warpshop
