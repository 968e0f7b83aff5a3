// How the accesses of a warp to global memory become sectors: compute capability 5.0 and newer.
//
//   lanes 0..31 ──addresses──▶ lines of 128 B (tags) ──▶ sectors of 32 B ──▶ L2
//
// Source: CUDA C++ Programming Guide, "Global Memory" of compute capability 5.x and newer; counted
// as Nsight Compute's l1tex__t_requests / l1tex__t_sectors do, proved by tests/hardware.
// docs/models.md says how, and what is left out.
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
  int requests = 0;       // 0 when no lane is active, else 1
  int sectors = 0;        // 32-byte sectors touched
  int ideal_sectors = 0;  // the fewest that the active lanes' bytes could need (Nsight's "ideal"):
                          // bytes of the active lanes / 32, rounded up; never more than `sectors`
  int lines = 0;          // 128-byte lines touched (tags)
  uint64_t bytes_used = 0;  // distinct bytes that lanes asked for
  uint64_t bytes_moved() const { return uint64_t(sectors) * kSectorBytes; }
  bool operator==(const CoalescerCounts&) const = default;
};

// The counts alone: the emulator's hot path calls this for every access.
CoalescerCounts count_sectors(const WarpRequestView& request);

// Sectors that an atomic or a reduction on global memory visits (l1tex__t_sectors…_op_red,
// …_op_atom). Lanes on one word take turns: a sector is visited as often as the busiest of its
// words has lanes. Exact up to four lines; beyond that the chip may visit a few more
// (docs/models.md).
int count_atomic_sectors(const WarpRequestView& request);

// One sector of the explanation.
struct SectorUse {
  uint64_t address = 0;    // a multiple of 32
  uint32_t used_mask = 0;  // bit b: byte address + b is asked for by a lane
  uint32_t lanes = 0;      // lanes that touch it
};

struct CoalescerResult {
  CoalescerCounts counts;
  std::vector<SectorUse> sectors;  // ascending
  // For each lane the indices into `sectors` of the first and last sector it touches; -1: inactive.
  std::array<int, kLanes> first_sector{};
  std::array<int, kLanes> last_sector{};
  IndexAdvice advice;  // what the lanes' steps say about the index expression
};

// Counts with the explanation, for the panels.
CoalescerResult coalesce(const WarpRequest& request);

}  // namespace warpshop::models
