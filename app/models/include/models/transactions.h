// The transactions of a warp's global access on each generation, with one result type so that a
// panel can draw any GPU.
//
//   lanes 0..31 ──split──▶ requests (whole or part of a warp) ──rule──▶ transactions ──▶ L2, DRAM
//
//   capability  split into             transactions
//   1.0, 1.1    half-warps             64 or 128 bytes if lane k requests word k of an aligned
//                                      segment; else 32 bytes per lane
//   1.2, 1.3    half-warps             segments of 128 bytes (64 and 32 for 2- and 1-byte words),
//                                      halved while only one half is used
//   2.x, 3.x    128 requested bytes    128-byte lines through L1, or 32-byte segments from L2;
//                                      each further line is a replay
//   5.0 on      not split              32-byte sectors
//
// Source: CUDA C Programming Guide 4.2, appendix F.3.2, F.4.2, F.5.2 (1.x to 3.x); CUDA C++
// Programming Guide 13.0, "Global Memory" (5.0 on). docs/models.md, "Coalescing by generation",
// lists the assumptions. Addresses are multiples of the width, as the hardware requires.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "models/gpu_profile.h"
#include "models/index_advice.h"
#include "models/request.h"

namespace warpshop::models {

enum class CoalescingRule : uint8_t {
  kStrictHalfWarps,   // 1.0, 1.1
  kHalfWarpSegments,  // 1.2, 1.3
  kCachedLines,       // 2.x, 3.x: loads through L1
  kL2Segments,        // 2.x, 3.x: loads that bypass L1, and all stores
  kSectors,           // 5.0 and newer
};

enum class GlobalAccess : uint8_t { kLoad, kStore, kAtomic };

// The only function that selects the model.
CoalescingRule coalescing_rule_of(const GpuProfile& gpu, GlobalAccess access);

// Accesses to global or shared memory cost something else than on today's GPUs, which counters and
// checks speak of: chips before 5.0.
bool has_rules_of_its_own(const GpuProfile& gpu);

struct TransactionCounts {
  int requests = 0;          // independent parts of the warp's access; 0 if no lane is active
  int transactions = 0;      // as the rule makes them
  int replays = 0;           // 2.x and 3.x: passes after the first, one line per pass
  int l2_transactions = 0;   // 32-byte units moved: bytes moved / 32
  uint64_t bytes_moved = 0;  // by all transactions
  uint64_t bytes_used = 0;   // distinct bytes requested by lanes
  // The least that the rule would move for these lanes if they were contiguous and aligned; never
  // more than `bytes_moved`.
  uint64_t ideal_bytes = 0;
  uint64_t bytes_wasted() const { return bytes_moved > bytes_used ? bytes_moved - bytes_used : 0; }
  bool operator==(const TransactionCounts&) const = default;
};

// Counts only, without allocation; a launch calls this for each new pattern.
TransactionCounts count_transactions(CoalescingRule rule, const WarpRequestView& request,
                                     GlobalAccess access = GlobalAccess::kLoad);

struct Transaction {
  uint64_t address = 0;            // a multiple of `bytes`
  uint32_t bytes = 0;              // 32, 64 or 128
  uint32_t lanes = 0;              // served by it
  int request = 0;                 // part of the warp's access: half-warp 0 or 1, quarter 0 to 3
  int replay = 0;                  // pass in which the SM issues it; 0 if the rule has no replays
  std::array<uint64_t, 2> used{};  // bit b of word b / 64: some lane requests byte address + b
  uint32_t bytes_used() const;
  uint32_t bytes_wasted() const { return bytes - bytes_used(); }
};

struct TransactionResult {
  CoalescingRule rule = CoalescingRule::kSectors;
  TransactionCounts counts;
  std::vector<Transaction> transactions;  // in issue order
  std::array<int, kLanes> of_lane{};      // index into `transactions`; -1: inactive
  IndexAdvice advice;                     // what the lanes' strides say about the index expression
};

TransactionResult explain_transactions(CoalescingRule rule, const WarpRequest& request,
                                       GlobalAccess access = GlobalAccess::kLoad);

// The generation's terminology, for users.
struct CoalescingWords {
  std::string_view transaction;   // "transaction", "line", "segment", "sector"
  std::string_view transactions;  // the plural
  std::string_view generation;    // "compute capability 1.0 and 1.1"
  std::string_view rule;          // one sentence
};
CoalescingWords words_of(CoalescingRule rule);

}  // namespace warpshop::models
