// Coalescing: how a warp's global accesses become sectors on compute capability 5.0 and newer.
//
//   lanes 0..31 ──addresses──▶ lines of 128 B (tags) ──▶ sectors of 32 B ──▶ L2
//
// Source: CUDA C++ Programming Guide, "Global Memory" of compute capability 5.x and newer; counted
// like Nsight Compute's l1tex__t_requests / l1tex__t_sectors and verified by tests/hardware.
// docs/models.md explains the model and its limitations.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/index_advice.h"
#include "models/request.h"

namespace warpshop::models {

inline constexpr uint32_t kSectorBytes = 32;
inline constexpr uint32_t kLineBytes = 128;

struct CoalescerCounts {
  int requests = 0;  // 1, or 0 if no lane is active
  int sectors = 0;   // 32-byte sectors touched
  // The fewest that the active lanes' bytes could need (Nsight's "ideal"): bytes of the active
  // lanes / 32, rounded up; never more than `sectors`.
  int ideal_sectors = 0;
  int lines = 0;            // 128-byte lines touched (tags)
  uint64_t bytes_used = 0;  // distinct bytes requested by lanes
  uint64_t bytes_moved() const { return uint64_t(sectors) * kSectorBytes; }
  bool operator==(const CoalescerCounts&) const = default;
};

// Counts only, for the emulator's hot path, which calls this for every access.
CoalescerCounts count_sectors(const WarpRequestView& request);

// Sector visits of a global atomic or reduction (l1tex__t_sectors…_op_red, …_op_atom). Lanes on the
// same word are serialised: a sector is visited as often as its busiest word has lanes. Exact for
// up to four lines; beyond that, real chips may make a few more visits (docs/models.md).
int count_atomic_sectors(const WarpRequestView& request);

struct SectorUse {
  uint64_t address = 0;    // a multiple of 32
  uint32_t used_mask = 0;  // bit b: some lane requests byte address + b
  uint32_t lanes = 0;      // lanes that touch it
};

struct CoalescerResult {
  CoalescerCounts counts;
  std::vector<SectorUse> sectors;  // ascending
  // Indices into `sectors` of the first and last sector each lane touches; -1: inactive.
  std::array<int, kLanes> first_sector{};
  std::array<int, kLanes> last_sector{};
  IndexAdvice advice;  // what the lanes' strides say about the index expression
};

// Counts with an explanation, for the panels.
CoalescerResult coalesce(const WarpRequest& request);

}  // namespace warpshop::models
