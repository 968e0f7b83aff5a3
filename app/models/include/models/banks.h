// Shared-memory banks: compute capability 5.0 and newer, 32 banks of 4 bytes.
//
// Source: CUDA C++ Programming Guide, "Shared Memory" of compute capability 5.x and newer. Wide accesses:
// the measured rule in docs/models.md (8-byte accesses work by half-warps, 16-byte by quarter-warps,
// merged where neighbours agree), proved by tests/hardware.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/coalescer.h"

namespace warpshop::models {

struct BankCounts {
  int wavefronts = 0;        // passes that the access takes
  int ideal_wavefronts = 0;  // passes that its width alone would take (Nsight's "ideal")
  int conflicts() const { return wavefronts - ideal_wavefronts; }
};

// `request.address` counts bytes from the start of the block's shared memory. `atomic`: an atomic or
// reduction, whose lanes on one word serialise.
BankCounts count_wavefronts(const WarpRequest& request, bool atomic = false);

struct BankPass {
  // For each bank the word (byte address / 4) that it serves in this pass; -1: idle.
  std::array<int64_t, 32> word{};
  std::array<uint32_t, 32> lanes{};   // lanes served from that word: more than one bit is a broadcast
};

struct BankResult {
  BankCounts counts;
  std::vector<BankPass> passes;                      // in the order they are made: `counts.wavefronts` of them
  std::array<std::array<int, 4>, kLanes> lane_pass{};  // pass of each 4-byte word of a lane; -1: none
  std::array<int, 32> degree{};                      // distinct words asked of each bank
};

BankResult explain_banks(const WarpRequest& request, bool atomic = false);

}  // namespace warpshop::models
