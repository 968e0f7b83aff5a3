// An atomic change to one word of memory. Global memory needs the host's atomics, since other
// blocks run at the same time; a block's shared memory belongs to one emulation thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <cstring>

#include "core/standard.h"

namespace warpshop::emulator {

// Operation::apply(old, b, c) returns the new value; both functions return the old one.
template <typename T, typename Operation>
T exchange_shared_memory(uint8_t* at, T b, T c) {
  T old;
  std::memcpy(&old, at, sizeof old);
  const T fresh = Operation::apply(old, b, c);
  std::memcpy(at, &fresh, sizeof fresh);
  return old;
}

template <typename T, typename Operation>
T exchange_global_memory(uint8_t* at, T b, T c) {
  AtomicRef<T> word(*reinterpret_cast<T*>(at));
  T old = word.load(std::memory_order_relaxed);
  while (!word.compare_exchange_weak(old, Operation::apply(old, b, c), std::memory_order_acq_rel)) {
  }
  return old;
}

}  // namespace warpshop::emulator
