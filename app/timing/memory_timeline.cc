#include "timing/memory_timeline.h"

#include <algorithm>

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
      case models::RowState::kHit: ++row->hits; break;
      case models::RowState::kEmpty: ++row->empties; break;
      case models::RowState::kConflict: ++row->conflicts; break;
    }
  }
  return out;
}

}  // namespace warpshop::timing
