// Shared-memory banks: compute capability 5.0 and newer, 32 banks of 4 bytes.
//
//   byte address ──/ 4──▶ word ──mod 32──▶ bank; one word a bank and wavefront, for any number of
//   lanes
//
// Source: CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x and newer. Wide
// accesses and atomics: the measured rules of docs/models.md, proved by tests/hardware. An access
// of 8 bytes works by half-warps, one of 16 bytes by quarter-warps; loads merge them where
// neighbours agree.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/request.h"

namespace warpshop::models {

inline constexpr int kBanks = 32;
inline constexpr uint32_t kBankBytes = 4;

enum class SharedAccess : uint8_t {
  kLoad,
  kStore,
  kAtomic,          // lanes on one bank take turns, also those on one word
  kCompareAndSwap,  // an atomic that makes every pass twice
  kCountingAdd,     // atomicAdd of the constant 1 with unused result (ATOMS.POPC.INC): lanes on one
                 // word are counted and added at once, as a load would serve them
};

struct BankCounts {
  int wavefronts = 0;  // passes that the access takes
  int ideal_wavefronts =
      0;  // the fewest that the active lanes' bytes could need (Nsight's "ideal"):
          // bytes of the active lanes / 128, rounded up; never more than `wavefronts`
  int conflicts() const { return wavefronts - ideal_wavefronts; }
  bool operator==(const BankCounts&) const = default;
};

// `request.address` counts bytes from the start of the block's shared memory.
BankCounts count_wavefronts(const WarpRequestView& request,
                            SharedAccess access = SharedAccess::kLoad);

struct BankPass {
  // For each bank the word (byte address / 4) that it serves in this pass; -1: idle.
  std::array<int64_t, kBanks> word{};
  std::array<uint32_t, kBanks>
      lanes{};  // lanes served from that word: more than one bit is a broadcast
};

struct BankResult {
  BankCounts counts;
  std::vector<BankPass> passes;  // in the order they are made: `counts.wavefronts` of them
  std::array<std::array<int, 4>, kLanes>
      lane_pass{};                   // pass of each 4-byte word of a lane; -1: none
  std::array<int, kBanks> degree{};  // distinct words asked of each bank
};

BankResult explain_banks(const WarpRequest& request, SharedAccess access = SharedAccess::kLoad);

// For a caller that knows only whether it is an atomic: others count as loads.
inline BankCounts count_wavefronts(const WarpRequestView& request, bool atomic) {
  return count_wavefronts(request, atomic ? SharedAccess::kAtomic : SharedAccess::kLoad);
}
inline BankResult explain_banks(const WarpRequest& request, bool atomic) {
  return explain_banks(request, atomic ? SharedAccess::kAtomic : SharedAccess::kLoad);
}

}  // namespace warpshop::models
