#include "state/stores_in_flight.h"

#include <thread>

namespace warpshop::emulator {

bool StoresInFlight::wait_for(size_t other, size_t self, const std::atomic<bool>& halt) const {
  const Thread& thread = of_[other];
  const uint32_t number = thread.number.load();
  if ((number & 1u) == 0) return true;
  while (thread.number.load() == number) {
    if (halt || (other > self && thread.waits.load())) return false;
    std::this_thread::yield();
  }
  return true;
}

bool StoresInFlight::wait_for_others(int worker, const std::atomic<bool>& halt) {
  const auto self = static_cast<size_t>(worker);
  if (of_.empty()) return true;
  of_[self].waits = true;
  bool all = true;
  for (size_t other = 0; all && other < of_.size(); ++other)
    all = other == self || wait_for(other, self, halt);
  of_[self].waits = false;
  return all;
}

}  // namespace warpshop::emulator
