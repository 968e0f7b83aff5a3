#include "models/transactions.h"

#include <algorithm>
#include <bit>

#include "models/bank_generations.h"
#include "models/coalescer.h"

namespace warpshop::models {
namespace {

constexpr uint32_t kHalf = 0xFFFFU;

struct ByteMask {
  std::array<uint64_t, 2> words{};
  void add(uint32_t from, uint32_t count) {
    for (uint32_t b = from; b < from + count; ++b) words[b / 64] |= uint64_t{1} << (b % 64);
  }
};

uint64_t align_down(uint64_t address, uint64_t unit) { return address - address % unit; }

// A transaction of `bytes` at `address` for these lanes.
Transaction make(const WarpRequestView& request, uint64_t address, uint32_t bytes, uint32_t lanes,
                 int part, int replay) {
  Transaction t{
      .address = address, .bytes = bytes, .lanes = lanes, .request = part, .replay = replay};
  ByteMask used;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    used.add(static_cast<uint32_t>(request.address[std::countr_zero(left)] - address),
             request.width_bytes);
  }
  t.used = used.words;
  return t;
}

// The lanes among `lanes` whose address is in the unit at `address`.
uint32_t lanes_inside(const WarpRequestView& request, uint32_t lanes, uint64_t address,
                      uint32_t unit) {
  uint32_t inside = 0;
  for (uint32_t left = lanes; left != 0; left &= left - 1) {
    const int lane = std::countr_zero(left);
    if (align_down(request.address[lane], unit) == address) inside |= 1U << lane;
  }
  return inside;
}

// --- 1.0 and 1.1 ---

// True if lane k of the half-warp accesses word k of an aligned segment; `base` is then the
// segment's address.
bool is_in_order(const WarpRequestView& request, uint32_t lanes, int first_lane, uint64_t* base) {
  if (request.width_bytes < 4) return false;
  const uint32_t segment = request.width_bytes == 4 ? 64 : 128;
  bool first = true;
  for (; lanes != 0; lanes &= lanes - 1) {
    const int lane = std::countr_zero(lanes);
    const uint64_t begin =
        request.address[lane] - static_cast<uint64_t>(lane - first_lane) * request.width_bytes;
    if (first) *base = begin;
    if (begin != *base) return false;
    first = false;
  }
  return *base % segment == 0;
}

template <typename Visit>
void strict_half_warp(const WarpRequestView& request, uint32_t lanes, int part, Visit&& visit) {
  uint64_t base = 0;
  if (!is_in_order(request, lanes, part * 16, &base)) {
    for (uint32_t left = lanes; left != 0; left &= left - 1) {
      const int lane = std::countr_zero(left);
      visit(make(request, align_down(request.address[lane], 32), 32, 1U << lane, part, 0));
    }
    return;
  }
  const uint32_t bytes = request.width_bytes == 4 ? 64 : 128;
  const uint32_t segments = request.width_bytes == 16 ? 2 : 1;
  for (uint32_t s = 0; s < segments; ++s) {
    const uint64_t address = base + uint64_t{s} * bytes;
    const uint32_t inside = lanes_inside(request, lanes, address, bytes);
    if (inside != 0) visit(make(request, address, bytes, inside, part, 0));
  }
}

// --- 1.2 and 1.3 ---

template <typename Visit>
void segments_of_half_warp(const WarpRequestView& request, uint32_t lanes, int part,
                           Visit&& visit) {
  const uint32_t segment = request.width_bytes == 1 ? 32 : request.width_bytes == 2 ? 64 : 128;
  while (lanes != 0) {
    uint64_t address = align_down(request.address[std::countr_zero(lanes)], segment);
    const uint32_t served = lanes_inside(request, lanes, address, segment);
    uint64_t low = ~uint64_t{0};
    uint64_t high = 0;  // last byte used
    for (uint32_t left = served; left != 0; left &= left - 1) {
      const uint64_t at = request.address[std::countr_zero(left)];
      low = std::min(low, at);
      high = std::max(high, at + request.width_bytes - 1);
    }
    uint32_t bytes = segment;
    while (bytes > 32 && align_down(low, bytes / 2) == align_down(high, bytes / 2)) {
      bytes /= 2;
      address = align_down(low, bytes);
    }
    visit(make(request, address, bytes, served, part, 0));
    lanes &= ~served;
  }
}

// --- 2.x and 3.x ---

// A request covers at most 128 bytes: half-warps for 8-byte words, quarter-warps for 16.
uint32_t request_lanes(uint32_t width) { return width <= 4 ? 32 : 128 / width; }

template <typename Visit>
void lines_or_segments(const WarpRequestView& request, bool whole_lines, Visit&& visit) {
  const uint32_t per_request = request_lanes(request.width_bytes);
  const auto ones = static_cast<uint32_t>((uint64_t{1} << per_request) - 1);
  int replay = 0;
  for (uint32_t part = 0; part * per_request < kLanes; ++part) {
    uint32_t lanes = request.active_mask & (ones << (part * per_request));
    while (lanes != 0) {
      const uint64_t line = align_down(request.address[std::countr_zero(lanes)], kLineBytes);
      const uint32_t in_line = lanes_inside(request, lanes, line, kLineBytes);
      for (uint64_t s = 0; s < kLineBytes; s += kSectorBytes) {
        if (whole_lines) break;
        const uint32_t inside = lanes_inside(request, in_line, line + s, kSectorBytes);
        if (inside == 0) continue;
        visit(make(request, line + s, kSectorBytes, inside, static_cast<int>(part), replay));
      }
      if (whole_lines) {
        visit(make(request, line, kLineBytes, in_line, static_cast<int>(part), replay));
      }
      ++replay;
      lanes &= ~in_line;
    }
  }
}

// --- 5.0 and newer ---

// Calls visit(sector address, its lanes) in ascending order.
template <typename Visit>
void each_sector(const WarpRequestView& request, Visit&& visit) {
  std::array<uint64_t, kLanes> sector;
  size_t count = 0;
  for (uint32_t left = request.active_mask; left != 0; left &= left - 1) {
    sector[count++] = align_down(request.address[std::countr_zero(left)], kSectorBytes);
  }
  std::sort(sector.begin(), sector.begin() + count);
  for (size_t i = 0; i < count; ++i) {
    if (i > 0 && sector[i] == sector[i - 1]) continue;
    visit(sector[i], lanes_inside(request, request.active_mask, sector[i], kSectorBytes));
  }
}

// Lanes on the same word are serialised, so a sector is visited as often as its busiest word has
// lanes.
template <typename Visit>
void atomic_visits(const WarpRequestView& request, Visit&& visit) {
  each_sector(request, [&](uint64_t address, uint32_t lanes) {
    while (lanes != 0) {
      uint32_t turn = 0;
      for (uint32_t left = lanes; left != 0; left &= left - 1) {
        const int lane = std::countr_zero(left);
        bool taken = false;
        for (uint32_t t = turn; t != 0; t &= t - 1) {
          taken = taken || request.address[std::countr_zero(t)] == request.address[lane];
        }
        if (!taken) turn |= 1U << lane;
      }
      visit(make(request, address, kSectorBytes, turn, 0, 0));
      lanes &= ~turn;
    }
  });
}

// --- Common to all generations ---

template <typename Visit>
void each_transaction(CoalescingRule rule, const WarpRequestView& request, GlobalAccess access,
                      Visit&& visit) {
  const bool half_warps =
      rule == CoalescingRule::kStrictHalfWarps || rule == CoalescingRule::kHalfWarpSegments;
  if (half_warps) {
    for (int part = 0; part < 2; ++part) {
      const uint32_t lanes = request.active_mask & (kHalf << (16 * part));
      if (access == GlobalAccess::kAtomic) {  // assumed: one lane at a time
        for (uint32_t left = lanes; left != 0; left &= left - 1) {
          const int lane = std::countr_zero(left);
          visit(make(request, align_down(request.address[lane], 32), 32, 1U << lane, part, 0));
        }
      } else if (rule == CoalescingRule::kStrictHalfWarps) {
        if (lanes != 0) strict_half_warp(request, lanes, part, visit);
      } else {
        segments_of_half_warp(request, lanes, part, visit);
      }
    }
  } else if (access == GlobalAccess::kAtomic) {
    atomic_visits(request, visit);
  } else if (rule == CoalescingRule::kSectors) {
    each_sector(request, [&](uint64_t address, uint32_t lanes) {
      visit(make(request, address, kSectorBytes, lanes, 0, 0));
    });
  } else {
    lines_or_segments(request, rule == CoalescingRule::kCachedLines, visit);
  }
}

int count_requests(CoalescingRule rule, const WarpRequestView& request, GlobalAccess access) {
  uint32_t lanes_each = kLanes;
  if (rule == CoalescingRule::kStrictHalfWarps || rule == CoalescingRule::kHalfWarpSegments) {
    lanes_each = 16;
  } else if (rule != CoalescingRule::kSectors && access != GlobalAccess::kAtomic) {
    lanes_each = request_lanes(request.width_bytes);
  }
  const auto ones = static_cast<uint32_t>((uint64_t{1} << lanes_each) - 1);
  int requests = 0;
  for (uint32_t lane = 0; lane < kLanes; lane += lanes_each) {
    requests += (request.active_mask & (ones << lane)) != 0;
  }
  return requests;
}

uint64_t bytes_moved(CoalescingRule rule, const WarpRequestView& request, GlobalAccess access) {
  uint64_t bytes = 0;
  each_transaction(rule, request, access, [&](const Transaction& t) { bytes += t.bytes; });
  return bytes;
}

// The unit in which the lanes' bytes would move if they were packed together, whichever lane has
// which; 0 if lane l has to be at byte l × width.
uint64_t packed_unit(CoalescingRule rule, uint32_t width, GlobalAccess access) {
  switch (rule) {
    case CoalescingRule::kStrictHalfWarps:
      // No order coalesces words of 1 and 2 bytes, but fewer lanes could request the same bytes as
      // words of 4, in transactions of 64.
      return width < 4 && access != GlobalAccess::kAtomic ? 64 : 0;
    case CoalescingRule::kHalfWarpSegments:
      return 0;
    case CoalescingRule::kCachedLines:
      return access == GlobalAccess::kLoad ? kLineBytes : kSectorBytes;
    case CoalescingRule::kL2Segments:
    case CoalescingRule::kSectors:
      return kSectorBytes;
  }
  return 0;
}

// What the same lanes would move at best.
uint64_t ideal_bytes(CoalescingRule rule, const WarpRequestView& request, GlobalAccess access) {
  if (const uint64_t unit = packed_unit(rule, request.width_bytes, access); unit > 0) {
    const uint64_t asked = static_cast<uint64_t>(request.active_lanes()) * request.width_bytes;
    return (asked + unit - 1) / unit * unit;
  }
  std::array<uint64_t, kLanes> side_by_side;
  for (uint64_t lane = 0; lane < kLanes; ++lane) side_by_side[lane] = lane * request.width_bytes;
  return bytes_moved(
      rule, WarpRequestView(request.active_mask, request.width_bytes, side_by_side.data()), access);
}

}  // namespace

CoalescingRule coalescing_rule_of(const GpuProfile& gpu, GlobalAccess access) {
  const ComputeCapability capability = gpu.capability;
  if (capability < ComputeCapability{1, 2}) return CoalescingRule::kStrictHalfWarps;
  if (capability < ComputeCapability{2, 0}) return CoalescingRule::kHalfWarpSegments;
  if (capability >= ComputeCapability{5, 0}) return CoalescingRule::kSectors;
  // 2.x caches loads in L1 by default (guide 4.2, F.4.2); for 3.x the profile must say so.
  const bool cached = gpu.l1_caches_loads.value_or(capability.major == 2);
  return access == GlobalAccess::kLoad && cached ? CoalescingRule::kCachedLines
                                                 : CoalescingRule::kL2Segments;
}

bool has_rules_of_its_own(const GpuProfile& gpu) {
  return coalescing_rule_of(gpu, GlobalAccess::kLoad) != CoalescingRule::kSectors ||
         bank_rule_of(gpu) != BankRule::kMeasuredBanks;
}

TransactionCounts count_transactions(CoalescingRule rule, const WarpRequestView& request,
                                     GlobalAccess access) {
  TransactionCounts counts;
  if (request.active_mask == 0) return counts;
  const CoalescerCounts sectors = count_sectors(request);
  counts.requests = count_requests(rule, request, access);
  counts.bytes_used = sectors.bytes_used;
  if (rule == CoalescingRule::kSectors) {  // the chip's own counters, in closed form
    counts.transactions =
        access == GlobalAccess::kAtomic ? count_atomic_sectors(request) : sectors.sectors;
    counts.bytes_moved = static_cast<uint64_t>(counts.transactions) * kSectorBytes;
  } else {
    each_transaction(rule, request, access, [&](const Transaction& t) {
      ++counts.transactions;
      counts.bytes_moved += t.bytes;
      counts.replays = std::max(counts.replays, t.replay);
    });
  }
  counts.l2_transactions = static_cast<int>(counts.bytes_moved / kSectorBytes);
  counts.ideal_bytes = std::min(ideal_bytes(rule, request, access), counts.bytes_moved);
  return counts;
}

uint32_t Transaction::bytes_used() const {
  return static_cast<uint32_t>(std::popcount(used[0]) + std::popcount(used[1]));
}

TransactionResult explain_transactions(CoalescingRule rule, const WarpRequest& request,
                                       GlobalAccess access) {
  TransactionResult result;
  result.rule = rule;
  result.counts = count_transactions(rule, request, access);
  result.advice = advise_index(request);
  result.of_lane.fill(-1);
  each_transaction(rule, request, access, [&](const Transaction& t) {
    for (uint32_t lanes = t.lanes; lanes != 0; lanes &= lanes - 1) {
      result.of_lane[static_cast<size_t>(std::countr_zero(lanes))] =
          static_cast<int>(result.transactions.size());
    }
    result.transactions.push_back(t);
  });
  return result;
}

CoalescingWords words_of(CoalescingRule rule) {
  switch (rule) {
    case CoalescingRule::kStrictHalfWarps:
      return {"transaction", "transactions", "compute capability 1.0 and 1.1",
              "A half-warp is one transaction if lane k accesses word k of an aligned segment; "
              "otherwise each lane is a transaction of 32 bytes."};
    case CoalescingRule::kHalfWarpSegments:
      return {"transaction", "transactions", "compute capability 1.2 and 1.3",
              "A half-warp takes one transaction per 128-byte segment it touches, cut to 64 or 32 "
              "bytes if the rest is unused."};
    case CoalescingRule::kCachedLines:
      return {"line", "lines", "compute capability 2.x and 3.x, loads through L1",
              "A warp takes one pass per 128-byte line it touches: the first, then replays; each "
              "line is four 32-byte transactions to L2."};
    case CoalescingRule::kL2Segments:
      return {"segment", "segments", "compute capability 2.x and 3.x, bypassing L1",
              "A warp takes one pass per 128-byte line it touches and moves only the 32-byte "
              "segments that are used."};
    case CoalescingRule::kSectors:
      break;
  }
  return {"sector", "sectors", "compute capability 5.0 and newer",
          "A warp's access moves each 32-byte sector it touches once."};
}

}  // namespace warpshop::models
