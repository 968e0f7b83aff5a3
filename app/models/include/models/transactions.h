// What a warp's access to global memory becomes, generation by generation: one result for all of
// them, so that a panel can draw any GPU.
//
//   lanes 0..31 ──split──▶ requests (whole, half or quarter warps) ──rule──▶ transactions ──▶ L2,
//   DRAM
//
//   capability   split                     transactions
//   1.0, 1.1     half-warps                64 or 128 bytes if lane k asks for word k of an aligned
//                                          segment; else 32 bytes for each lane
//   1.2, 1.3     half-warps                segments of 128 bytes (64, 32 for 2- and 1-byte words),
//                                          halved while only one half is used
//   2.x, 3.x     by 128 bytes asked for    lines of 128 bytes through L1, or segments of 32 from
//   L2;
//                                          each line is a replay
//   5.0 on       none                      sectors of 32 bytes
//
// Source: CUDA C Programming Guide 4.2, appendix F.3.2, F.4.2, F.5.2 (1.x to 3.x); CUDA C++
// Programming Guide 13.0, "Global Memory" (5.0 on). docs/models.md, "Coalescing by generation",
// says what is assumed. Addresses are multiples of the width, as the hardware demands.
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
  kL2Segments,        // 2.x, 3.x: loads past L1, and all stores
  kSectors,           // 5.0 and newer
};

enum class GlobalAccess : uint8_t { kLoad, kStore, kAtomic };

// The one function that chooses the model.
CoalescingRule coalescing_rule_of(const GpuProfile& gpu, GlobalAccess access);

// Accesses to global or shared memory cost something else than on today's GPUs, which counters and checks speak of: chips before 5.0.
bool has_rules_of_its_own(const GpuProfile& gpu);

struct TransactionCounts {
  int requests = 0;          // independent parts of the warp's access; 0 when no lane is active
  int transactions = 0;      // as the rule makes them
  int replays = 0;           // 2.x and 3.x: passes after the first; one line a pass
  int l2_transactions = 0;   // 32-byte pieces that move: bytes moved / 32
  uint64_t bytes_moved = 0;  // by all transactions
  uint64_t bytes_used = 0;   // distinct bytes that lanes asked for
  uint64_t ideal_bytes = 0;  // the least the rule moves for these lanes, side by side and aligned;
                             // never more than `bytes_moved`
  uint64_t bytes_wasted() const { return bytes_moved > bytes_used ? bytes_moved - bytes_used : 0; }
  bool operator==(const TransactionCounts&) const = default;
};

// The counts alone, without allocation: a launch calls this for each new pattern.
TransactionCounts count_transactions(CoalescingRule rule, const WarpRequestView& request,
                                     GlobalAccess access = GlobalAccess::kLoad);

struct Transaction {
  uint64_t address = 0;  // a multiple of `bytes`
  uint32_t bytes = 0;    // 32, 64 or 128
  uint32_t lanes = 0;    // served by it
  int request = 0;       // which part of the warp's access: half-warp 0 or 1, quarter 0 to 3
  int replay = 0;        // pass in which the SM issues it; 0 unless the rule replays
  std::array<uint64_t, 2> used{};  // bit b of word b / 64: byte address + b is asked for
  uint32_t bytes_used() const;
  uint32_t bytes_wasted() const { return bytes - bytes_used(); }
};

struct TransactionResult {
  CoalescingRule rule = CoalescingRule::kSectors;
  TransactionCounts counts;
  std::vector<Transaction> transactions;  // in the order they are made
  std::array<int, kLanes> of_lane{};      // index into `transactions`; -1: inactive
  IndexAdvice advice;                     // what the lanes' steps say about the index expression
};

TransactionResult explain_transactions(CoalescingRule rule, const WarpRequest& request,
                                       GlobalAccess access = GlobalAccess::kLoad);

// The generation's own words, for people.
struct CoalescingWords {
  std::string_view transaction;   // "transaction", "line", "segment", "sector"
  std::string_view transactions;  // the plural
  std::string_view generation;    // "compute capability 1.0 and 1.1"
  std::string_view rule;          // one sentence
};
CoalescingWords words_of(CoalescingRule rule);

}  // namespace warpshop::models
