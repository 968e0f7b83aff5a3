// Shared-memory banks: compute capability 5.0 and newer, 32 banks of 4 bytes.
//
//   byte address ──/ 4──▶ word ──mod 32──▶ bank
//
// A bank serves one word per wavefront, to any number of lanes.
//
// Source: CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x and newer. Wide
// accesses and atomics: the measured rules of docs/models.md, verified by tests/hardware. An 8-byte
// access is split into half-warps, a 16-byte access into quarter-warps; loads merge parts whose
// neighbouring lanes agree.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/request.h"

namespace warpshop::models {

inline constexpr int kBanks = 32;
inline constexpr uint32_t kBankBytes = 4;
inline constexpr uint32_t kWavefrontBytes = kBanks * kBankBytes;

enum class SharedAccess : uint8_t {
  kLoad,
  kStore,
  kMatrix,          // ldmatrix, stmatrix: each matrix, eight lanes of 16 bytes, on its own
  kAtomic,          // lanes on the same bank take turns, even on the same word
  kCompareAndSwap,  // an atomic that makes every pass twice
  // atomicAdd of the constant 1 with unused result (ATOMS.POPC.INC): lanes on one word are counted
  // and added at once, so it is served like a load.
  kCountingAdd,
  kSpin,          // a loop of load and compare-and-swap: floating point, and 8-byte integers
  kHalfwordLoop,  // f16 and bf16: a load, then a loop of compare-and-swap; models/atomic_loop.h
};

struct BankCounts {
  int wavefronts = 0;  // passes that the access takes
  // The fewest that the active lanes' bytes could need (Nsight's "ideal"): bytes of the active
  // lanes / 128, rounded up; never more than `wavefronts`.
  int ideal_wavefronts = 0;
  int conflicts() const { return wavefronts - ideal_wavefronts; }
  bool operator==(const BankCounts&) const = default;
};

// `request.address` is relative to the block's shared memory.
BankCounts count_wavefronts(const WarpRequestView& request,
                            SharedAccess access = SharedAccess::kLoad);

// The fewest of `wavefronts` that the active lanes' bytes could need.
int ideal_wavefronts(const WarpRequestView& request, int wavefronts, SharedAccess access);

struct BankPass {
  // The word (byte address / 4) that each bank serves in this pass; -1: idle.
  std::array<int64_t, kBanks> word{};
  // Lanes that receive the word; more than one bit is a broadcast.
  std::array<uint32_t, kBanks> lanes{};
};

struct BankResult {
  BankCounts counts;
  std::vector<BankPass> passes;  // in execution order, `counts.wavefronts` of them
  std::array<std::array<int, 4>, kLanes> lane_pass{};  // by lane and 4-byte word; -1: none
  std::array<int, kBanks> degree{};                    // distinct words requested from each bank
};

BankResult explain_banks(const WarpRequest& request, SharedAccess access = SharedAccess::kLoad);

// For callers that only know whether the access is atomic; non-atomic accesses count as loads.
inline BankCounts count_wavefronts(const WarpRequestView& request, bool atomic) {
  return count_wavefronts(request, atomic ? SharedAccess::kAtomic : SharedAccess::kLoad);
}
inline BankResult explain_banks(const WarpRequest& request, bool atomic) {
  return explain_banks(request, atomic ? SharedAccess::kAtomic : SharedAccess::kLoad);
}

}  // namespace warpshop::models
