#include "models/async_copy.h"

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "lane_groups.h"
#include "models/coalescer.h"

namespace warpshop::models {
namespace {

constexpr uint64_t kHalfBytes = 16;  // of a sector, and of a piece of the destination
constexpr int kPieces = kWavefrontBytes / kSectorBytes;

WarpRequestView part_of(const WarpRequestView& request, uint32_t lanes) {
  return {request.active_mask & lanes, request.width_bytes, request.address};
}

// What a quarter-warp requests past L1.
class Requests {
 public:
  void add(uint64_t from, uint64_t to) {
    const bool upper = to / kHalfBytes % 2 != 0;
    const bool swaps = upper != (from / kHalfBytes % 2 != 0);
    halves_[{to / kSectorBytes, from / kSectorBytes, swaps}] |= upper ? 2U : 1U;
    pieces_.insert({to / kSectorBytes, from / kLineBytes});
  }

  int pieces() const { return static_cast<int>(pieces_.size()); }
  int count() const { return static_cast<int>(halves_.size()); }

  int wavefronts() const {
    // Row of shared memory, line of the source; of a half also which one, and how far it moves.
    std::set<std::tuple<uint64_t, uint64_t, uint32_t, bool, uint64_t>> wavefronts;
    for (const auto& [request, halves] : halves_) {
      const auto& [piece, sector, swaps] = request;
      const uint64_t row = piece / kPieces, line = sector / kPieces;
      if (halves == kBoth)
        wavefronts.insert({row, line, kBoth, false, 0});
      else
        wavefronts.insert({row, line, halves, swaps, (piece - sector) % kPieces});
    }
    return static_cast<int>(wavefronts.size());
  }

 private:
  static constexpr uint32_t kBoth = 3;
  // Piece of the destination, sector of the source, and whether the halves change places.
  using Request = std::tuple<uint64_t, uint64_t, bool>;
  std::map<Request, uint32_t> halves_;              // of the destination
  std::set<std::pair<uint64_t, uint64_t>> pieces_;  // and the lines that they come from
};

AsyncCopyCounts count_past_l1(const WarpRequestView& from, const WarpRequestView& to,
                              bool some_bytes) {
  AsyncCopyCounts counts;
  const LaneGroups quarters = lane_groups(to, SharedAccess::kMatrix);
  for (int q = 0; q < quarters.count; ++q) {
    const uint32_t lanes = quarters.lanes[static_cast<size_t>(q)];
    Requests requests;
    for (uint32_t rest = lanes & from.active_mask; rest != 0; rest &= rest - 1) {
      const auto lane = static_cast<size_t>(std::countr_zero(rest));
      requests.add(from.address[lane], to.address[lane]);
    }
    counts.sectors += requests.pieces();
    counts.theoretical_sectors += requests.count();
    const int zeros =
        count_wavefronts(part_of(to, lanes & ~from.active_mask), SharedAccess::kMatrix).wavefronts;
    counts.banks.wavefronts += std::max(requests.wavefronts(), zeros);
  }
  if (some_bytes) counts.banks.wavefronts *= 2;  // the zeros follow
  return counts;
}

AsyncCopyCounts count_through_l1(const WarpRequestView& from, const WarpRequestView& to) {
  AsyncCopyCounts counts;
  counts.sectors = counts.theoretical_sectors = count_sectors(from).sectors;
  const LaneGroups groups = lane_groups(to, SharedAccess::kStore);
  for (int g = 0; g < groups.count; ++g) {
    const uint32_t lanes = groups.lanes[static_cast<size_t>(g)];
    counts.banks.wavefronts +=
        std::max(count_wavefronts(part_of(from, lanes), SharedAccess::kStore).wavefronts,
                 count_wavefronts(part_of(to, lanes), SharedAccess::kStore).wavefronts);
  }
  return counts;
}

int rounded_up(int bytes, uint32_t unit) {
  return (bytes + static_cast<int>(unit) - 1) / static_cast<int>(unit);
}

}  // namespace

AsyncCopyCounts count_async_copy(const WarpRequestView& from, const WarpRequestView& to,
                                 bool bypasses_l1, bool some_bytes) {
  AsyncCopyCounts counts =
      bypasses_l1 ? count_past_l1(from, to, some_bytes) : count_through_l1(from, to);
  const int width = static_cast<int>(to.width_bytes);
  counts.ideal_sectors =
      std::min(rounded_up(from.active_lanes() * width, kSectorBytes), counts.theoretical_sectors);
  counts.banks.ideal_wavefronts = std::min(
      rounded_up(to.active_lanes() * width, kWavefrontBytes) * (bypasses_l1 && some_bytes ? 2 : 1),
      counts.banks.wavefronts);
  counts.bytes_used = count_sectors(from).bytes_used;
  return counts;
}

}  // namespace warpshop::models
