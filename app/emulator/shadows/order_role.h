#pragma once

#include <cstdint>

namespace warpshop::emulator {

// What an access can do for the order of threads.
enum OrderRole : uint32_t {
  kReleases = 1u << 0,  // .release, .acq_rel
  kAcquires = 1u << 1,
  kLoads = 1u << 2,     // with these: a load
  kReads = 1u << 3,     // a strong read: an acquire if a fence follows
  kWrites = 1u << 4,    // a strong write: a release if it follows a fence
  kReplaces = 1u << 5,  // a store, which keeps nothing of what it overwrites
  kCompares = 1u << 6,  // writes only if the comparison succeeds
  kPolls = 1u << 7,     // a load in a loop that waits
  // Takes or releases a lock, or waits for or sets a flag, with or without a fence.
  kLocks = 1u << 8,
  kUnlocks = 1u << 9,
  kPolled = 1u << 11,  // a volatile store to a word that a loop waits for
  kWeak = 1u << 10,    // a plain access to global memory that is used like a strong one
};

}  // namespace warpshop::emulator
