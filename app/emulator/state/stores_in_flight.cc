#include "state/stores_in_flight.h"

#include <thread>

namespace warpshop::emulator {

bool StoresInFlight::compare_alone(int worker, const std::atomic<bool>& halt) {
  if (of_.empty()) return true;
  const auto self = static_cast<size_t>(worker);
  if (comparing_.load() != worker) {
    of_[self].queued = true;
    for (int nobody = kNobody; !comparing_.compare_exchange_weak(nobody, worker);
         nobody = kNobody) {
      if (halt) return false;
      std::this_thread::yield();
    }
    of_[self].queued = false;
  }
  for (size_t other = 0; other < of_.size(); ++other) {
    const Thread& thread = of_[other];
    const uint32_t number = thread.number.load();
    if (other == self || (number & 1u) == 0) continue;
    while (thread.number.load() == number && !thread.queued.load()) {
      if (halt) return false;
      std::this_thread::yield();
    }
  }
  return !halt;
}

}  // namespace warpshop::emulator
