#include "models/coalescer.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <type_traits>

#include "lane_pattern.h"

namespace warpshop::models {
namespace {

constexpr uint32_t kSectorShift = 5;
constexpr uint32_t kLineShift = 7;
// A 16-byte lane touches at most two sectors, so 128 slots are never all taken.
constexpr uint32_t kSlots = 128;

int ideal_sectors(int lanes, uint32_t width, int sectors) {
  const int ideal =
      static_cast<int>((static_cast<uint32_t>(lanes) * width + kSectorBytes - 1) / kSectorBytes);
  return std::min(ideal, sectors);
}

// Bits [from, from + count) of a sector's 32 bytes.
uint32_t byte_bits(uint32_t from, uint32_t count) {
  const uint32_t ones = count >= 32 ? ~0U : (1U << count) - 1;
  return ones << from;
}

int granules(uint64_t first, uint64_t last, uint32_t shift) {
  return static_cast<int>((last >> shift) - (first >> shift)) + 1;
}

// Closed form for lanes 0..n-1 with a constant stride of at most one sector, or with no lane that
// straddles sectors. Returns false if it does not apply.
bool count_strided(const LanePattern& pattern, uint64_t first, uint32_t width,
                   CoalescerCounts* counts) {
  const uint64_t distance = static_cast<uint64_t>(std::llabs(pattern.stride));
  const uint64_t steps = static_cast<uint64_t>(pattern.lanes - 1);
  const uint64_t low = pattern.stride < 0 ? first - steps * distance : first;
  const uint64_t last_byte = low + steps * distance + width - 1;
  counts->bytes_used = distance >= width ? (steps + 1) * width : steps * distance + width;
  if (distance <= kSectorBytes) {
    counts->sectors = granules(low, last_byte, kSectorShift);
  } else {
    const bool aligned = (low % width) == 0 && (distance % width) == 0;
    if (!aligned) return false;
    counts->sectors = pattern.lanes;  // one each, all different
  }
  if (distance <= kLineBytes) {
    counts->lines = granules(low, last_byte, kLineShift);
  } else {
    counts->lines = pattern.lanes;
    if ((low % width) != 0 || (distance % width) != 0) return false;
  }
  return true;
}

// For arbitrary addresses: a small open-addressing hash table of touched sectors and their used
// bytes.
class SectorTable {
 public:
  void add_lane(uint64_t address, uint32_t width) {
    const uint32_t from = address & (kSectorBytes - 1);
    const uint32_t here = std::min(width, kSectorBytes - from);
    add(address >> kSectorShift, byte_bits(from, here));
    if (here < width) add((address >> kSectorShift) + 1, byte_bits(0, width - here));
  }

  int count_lines() const {
    std::array<uint64_t, kSlots> lines;
    lines.fill(kEmpty);
    int count = 0;
    for (int i = 0; i < count_; ++i) {
      const uint64_t line = sectors_[order_[static_cast<size_t>(i)]] >> 2;
      uint32_t slot = hash(line);
      while (lines[slot] != kEmpty && lines[slot] != line) slot = (slot + 1) % kSlots;
      count += lines[slot] == kEmpty;
      lines[slot] = line;
    }
    return count;
  }

  int count() const { return count_; }
  uint64_t bytes_used() const {
    uint64_t bytes = 0;
    for (int i = 0; i < count_; ++i) {
      bytes += static_cast<uint64_t>(std::popcount(used_[order_[static_cast<size_t>(i)]]));
    }
    return bytes;
  }

 private:
  static constexpr uint64_t kEmpty = ~uint64_t{0};
  static uint32_t hash(uint64_t key) {
    return static_cast<uint32_t>((key * 0x9E3779B97F4A7C15ULL) >> 57);  // 7 bits: kSlots
  }

  void add(uint64_t sector, uint32_t bits) {
    uint32_t slot = hash(sector);
    while (sectors_[slot] != sector) {
      if (sectors_[slot] == kEmpty) {
        sectors_[slot] = sector;
        used_[slot] = 0;
        order_[static_cast<size_t>(count_++)] = static_cast<uint8_t>(slot);
        break;
      }
      slot = (slot + 1) % kSlots;
    }
    used_[slot] |= bits;
  }

  std::array<uint64_t, kSlots> sectors_ = [] {
    std::array<uint64_t, kSlots> empty;
    empty.fill(kEmpty);
    return empty;
  }();
  std::array<uint32_t, kSlots> used_;
  std::array<uint8_t, kSlots> order_;
  int count_ = 0;
};

// 1 if the numbers differ, without a branch or a comparison that old vector units lack.
uint64_t differ(uint64_t a, uint64_t b) {
  const uint64_t d = a ^ b;
  return (d | (0 - d)) >> 63;
}

// For non-decreasing addresses that are multiples of the width (rows of a tile, broadcasts by
// group): each lane touches one sector, so changes between neighbouring lanes can be counted in one
// pass without a table.
template <typename Count>
bool count_ascending(const uint64_t* address, Count lanes, uint32_t width,
                     CoalescerCounts* counts) {
  uint64_t sectors = 1;
  uint64_t lines = 1;
  uint64_t places = 1;
  uint64_t falls = 0;
  uint64_t low_bits = address[0];
  for (size_t i = 1; i < lanes; ++i) {
    const uint64_t here = address[i];
    const uint64_t before = address[i - 1];
    falls |= here - before;
    low_bits |= here;
    sectors += differ(here >> kSectorShift, before >> kSectorShift);
    lines += differ(here >> kLineShift, before >> kLineShift);
    places += differ(here, before);
  }
  if ((falls >> 63) != 0 || (low_bits & (width - 1)) != 0) return false;
  counts->sectors = static_cast<int>(sectors);
  counts->lines = static_cast<int>(lines);
  counts->bytes_used = places * width;
  return true;
}

bool count_ascending(const WarpRequestView& request, CoalescerCounts* counts) {
  if (request.active_mask == ~uint32_t{0}) {
    return count_ascending(request.address, std::integral_constant<size_t, kLanes>(),
                           request.width_bytes, counts);
  }
  std::array<uint64_t, kLanes> active;
  size_t lanes = 0;
  for (uint32_t mask = request.active_mask; mask != 0; mask &= mask - 1) {
    active[lanes++] = request.address[std::countr_zero(mask)];
  }
  return count_ascending(active.data(), lanes, request.width_bytes, counts);
}

}  // namespace

CoalescerCounts count_sectors(const WarpRequestView& request) {
  CoalescerCounts counts;
  if (request.active_mask == 0) return counts;
  counts.requests = 1;
  const LanePattern pattern = find_pattern(request);
  const bool strided =
      pattern.lanes > 0 && count_strided(pattern, request.address[0], request.width_bytes, &counts);
  if (!strided && !count_ascending(request, &counts)) {
    SectorTable table;
    for (uint32_t mask = request.active_mask; mask != 0; mask &= mask - 1) {
      table.add_lane(request.address[std::countr_zero(mask)], request.width_bytes);
    }
    counts.sectors = table.count();
    counts.lines = table.count_lines();
    counts.bytes_used = table.bytes_used();
  }
  counts.ideal_sectors = ideal_sectors(request.active_lanes(), request.width_bytes, counts.sectors);
  return counts;
}

int count_atomic_sectors(const WarpRequestView& request) {
  const LanePattern pattern = find_pattern(request);
  if (pattern.lanes > 0) {
    if (pattern.stride == 0) return pattern.lanes;
    if (std::llabs(pattern.stride) >= request.width_bytes) return count_sectors(request).sectors;
  }
  std::array<uint64_t, kLanes> word;
  int lanes = 0;
  for (uint32_t mask = request.active_mask; mask != 0; mask &= mask - 1) {
    word[static_cast<size_t>(lanes++)] = request.address[std::countr_zero(mask)];
  }
  std::sort(word.begin(), word.begin() + lanes);
  int total = 0;
  int busiest = 0;  // of the current sector
  int run = 0;      // lanes on the current word
  for (int i = 0; i < lanes; ++i) {
    const uint64_t here = word[static_cast<size_t>(i)];
    const bool same_word = i > 0 && here == word[static_cast<size_t>(i - 1)];
    const bool same_sector =
        i > 0 && (here >> kSectorShift) == (word[static_cast<size_t>(i - 1)] >> kSectorShift);
    run = same_word ? run + 1 : 1;
    if (!same_sector) {
      total += busiest;
      busiest = 0;
    }
    busiest = std::max(busiest, run);
  }
  return total + busiest;
}

CoalescerResult coalesce(const WarpRequest& request) {
  CoalescerResult result;
  result.counts = count_sectors(request);
  result.advice = advise_index(request);
  result.first_sector.fill(-1);
  result.last_sector.fill(-1);

  auto sector_of = [](uint64_t address) { return address & ~uint64_t{kSectorBytes - 1}; };
  for (uint32_t mask = request.active_mask; mask != 0; mask &= mask - 1) {
    const uint64_t first = request.address[static_cast<size_t>(std::countr_zero(mask))];
    const uint64_t last = first + request.width_bytes - 1;
    result.sectors.push_back({.address = sector_of(first)});
    if (sector_of(last) != sector_of(first)) result.sectors.push_back({.address = sector_of(last)});
  }
  auto by_address = [](const SectorUse& a, const SectorUse& b) { return a.address < b.address; };
  auto same_address = [](const SectorUse& a, const SectorUse& b) { return a.address == b.address; };
  std::sort(result.sectors.begin(), result.sectors.end(), by_address);
  result.sectors.erase(std::unique(result.sectors.begin(), result.sectors.end(), same_address),
                       result.sectors.end());

  auto index_of = [&](uint64_t address) {
    const SectorUse wanted{.address = sector_of(address)};
    return static_cast<int>(
        std::lower_bound(result.sectors.begin(), result.sectors.end(), wanted, by_address) -
        result.sectors.begin());
  };
  for (uint32_t mask = request.active_mask; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<size_t>(std::countr_zero(mask));
    const uint64_t first = request.address[lane];
    result.first_sector[lane] = index_of(first);
    result.last_sector[lane] = index_of(first + request.width_bytes - 1);
    for (uint32_t b = 0; b < request.width_bytes; ++b) {
      SectorUse& sector = result.sectors[static_cast<size_t>(index_of(first + b))];
      sector.used_mask |= 1U << ((first + b) & (kSectorBytes - 1));
      sector.lanes |= 1U << lane;
    }
  }
  return result;
}

}  // namespace warpshop::models
