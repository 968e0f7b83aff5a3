#include "state/turnstile.h"

#include <algorithm>
#include <thread>

namespace warpshop::emulator {
namespace {

// Consecutive blocks mostly end at about the same time.
constexpr int kTriesBeforeSleep = 100;

}  // namespace

void Turnstile::set(int worker, uint64_t position) {
  running_[static_cast<size_t>(worker)].position.store(position);
  changes_.fetch_add(1);
  changes_.notify_all();
}

bool Turnstile::is_next(int worker) const {
  const uint64_t mine =
      running_[static_cast<size_t>(worker)].position.load(std::memory_order_relaxed);
  return std::all_of(running_.begin(), running_.end(),
                     [&](const Running& other) { return other.position.load() >= mine; });
}

void Turnstile::wait(int worker, const std::atomic<bool>& halt) const {
  for (int tries = 0; !halt.load(std::memory_order_relaxed); ++tries) {
    const uint32_t changes = changes_.load();
    if (is_next(worker)) return;
    if (tries < kTriesBeforeSleep) {
      std::this_thread::yield();
    } else {
      changes_.wait(changes);
    }
  }
}

}  // namespace warpshop::emulator
