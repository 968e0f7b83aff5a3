#include "timing/memory_timeline.h"

#include <algorithm>
#include <map>
#include <span>
#include <tuple>

namespace warpshop::timing {

int MemoryTimeline::busiest_channel() const {
  const auto busiest =
      std::max_element(dram.channels.begin(), dram.channels.end(),
                       [](const models::ChannelService& a, const models::ChannelService& b) {
                         return a.bursts < b.bursts;
                       });
  return busiest == dram.channels.end() ? 0 : static_cast<int>(busiest - dram.channels.begin());
}

MemoryTimeline memory_timeline(const models::GpuProfile& gpu,
                               std::span<const models::MemoryRecord> records,
                               uint32_t element_bytes, size_t most_windows) {
  MemoryTimeline out;
  out.gpu = gpu.id;
  const models::DramSpec spec = models::dram_of(gpu);
  out.transactions = records.size();
  out.steps = records.empty() ? 0 : records.back().time + 1;
  const uint64_t most = std::max<size_t>(most_windows, 1);
  const uint64_t length = std::max<uint64_t>(1, (out.steps + most - 1) / most);
  out.load = models::partition_load(spec.channels, records, length);
  out.camping = models::find_camping(spec.channels, records, 1, element_bytes);
  out.dram = models::serve_dram(spec, records, 1);
  for (const models::PartitionWindow& window : out.load.windows)
    out.rows.push_back({.begin = window.begin});
  for (const models::ServedBurst& burst : out.dram.bursts) {
    const uint64_t begin = burst.time / length * length;
    const auto row = std::lower_bound(out.rows.begin(), out.rows.end(), begin,
                                      [](const RowWindow& w, uint64_t at) { return w.begin < at; });
    if (row == out.rows.end() || row->begin != begin) continue;  // a record without bytes
    switch (burst.row) {
      case models::RowState::kHit:
        ++row->hits;
        break;
      case models::RowState::kEmpty:
        ++row->empties;
        break;
      case models::RowState::kConflict:
        ++row->conflicts;
        break;
    }
  }
  return out;
}

namespace {

// Bursts are sorted by service time.
std::span<const models::ServedBurst> served_in(const MemoryTimeline& timeline, uint64_t begin,
                                               uint64_t end) {
  const std::span<const models::ServedBurst> all(timeline.dram.bursts);
  const auto index_at = [&](uint64_t time) {
    const auto at =
        std::lower_bound(all.begin(), all.end(), time,
                         [](const models::ServedBurst& b, uint64_t t) { return b.time < t; });
    return static_cast<size_t>(at - all.begin());
  };
  const size_t from = index_at(begin);
  return all.subspan(from, index_at(std::max(begin, end)) - from);
}

}  // namespace

std::optional<TimedAccess> heaviest_access(const MemoryTimeline& timeline, uint64_t begin,
                                           uint64_t end, std::optional<int> partition,
                                           std::optional<TimedAccess> near) {
  std::map<std::tuple<uint64_t, uint32_t, uint32_t>, TimedAccess> accesses;
  for (const models::ServedBurst& burst : served_in(timeline, begin, end)) {
    if (partition && burst.place.channel != *partition) continue;
    TimedAccess& access = accesses[{burst.block, burst.from.warp, burst.from.step}];
    access.block = burst.block;
    access.from = burst.from;
    access.time = burst.time;
    access.bytes += timeline.dram.spec.burst_bytes;
  }
  const auto nearness = [&](const TimedAccess& access) {
    if (!near || access.block != near->block) return 0;
    return access.from.warp == near->from.warp ? 2 : 1;
  };
  std::optional<TimedAccess> most;
  for (const auto& [key, access] : accesses) {
    if (!most ||
        std::tuple(access.bytes, nearness(access)) > std::tuple(most->bytes, nearness(*most))) {
      most = access;
    }
  }
  return most;
}

std::optional<uint64_t> time_of_access(const MemoryTimeline& timeline, uint64_t block,
                                       uint32_t warp, uint32_t step) {
  for (const models::ServedBurst& burst : timeline.dram.bursts) {
    if (burst.block == block && burst.from.warp == warp && burst.from.step == step) {
      return burst.time;
    }
  }
  return std::nullopt;
}

}  // namespace warpshop::timing
