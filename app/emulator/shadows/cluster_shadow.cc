#include "shadows/cluster_shadow.h"

#include <algorithm>

namespace warpshop::emulator {
namespace {

constexpr size_t kMostClusterHazards = 32;

}  // namespace

void ClusterShadow::configure(uint32_t size_bytes, uint32_t granule_bytes) {
  shift_ = granule_bytes == 1 ? 0 : 2;
  granules_.assign((size_bytes >> shift_) + 1, {});
}

bool ClusterShadow::conflicts(const ClusterTouch& other, const Access& access) const {
  if (other.time == 0 || other.time < start_ || other.time < access.floor) return false;
  if (other.atomic && access.who.atomic) return false;
  if (other.rank != access.who.rank) return access.waits <= other.arrivals;
  // Two warps of one block in another one's memory; a warp's own lanes are taken to be in order.
  return other.rank != access.owner && other.thread / 32 != access.who.thread / 32 &&
         other.interval == access.who.interval;
}

std::pair<uint64_t, uint64_t> ClusterShadow::granules_of(const Access& access) const {
  const uint64_t first = access.address >> shift_;
  const uint64_t end = first + static_cast<uint64_t>(std::max(1, access.bytes >> shift_));
  return {first, std::min<uint64_t>(end, granules_.size())};
}

void ClusterShadow::on_read(const Access& access, std::vector<ClusterHazard>& hazards) {
  const auto [first, end] = granules_of(access);
  for (uint64_t g = first; g < end; ++g) {
    Granule& granule = granules_[g];
    if (conflicts(granule.write, access) && hazards.size() < kMostClusterHazards)
      hazards.push_back({access.lane, g << shift_, granule.write, true});
    const bool second = granule.reads[0].time >= start_ && granule.reads[0].time != 0 &&
                        granule.reads[0].rank != access.who.rank;
    granule.reads[second ? 1 : 0] = access.who;
  }
}

void ClusterShadow::on_write(const Access& access, std::vector<ClusterHazard>& hazards) {
  before_write(access, hazards);
  const auto [first, end] = granules_of(access);
  for (uint64_t g = first; g < end; ++g) granules_[g].write = access.who;
}

void ClusterShadow::before_write(const Access& access, std::vector<ClusterHazard>& hazards) const {
  const auto [first, end] = granules_of(access);
  for (uint64_t g = first; g < end; ++g) {
    const Granule& granule = granules_[g];
    const auto note = [&](const ClusterTouch& other, bool wrote) {
      if (conflicts(other, access) && hazards.size() < kMostClusterHazards)
        hazards.push_back({access.lane, g << shift_, other, wrote});
    };
    note(granule.write, true);
    for (const ClusterTouch& read : granule.reads) note(read, false);
  }
}

}  // namespace warpshop::emulator
