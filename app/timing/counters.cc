#include "timing/counters.h"

#include <algorithm>

namespace warpshop::timing {

// The table behind all code that names, sums or shows counters.
const std::vector<CounterInfo>& counter_table() {
  static const std::vector<CounterInfo> rows = {
#define COUNTER(name, unit, meaning, metric) {#name, unit, meaning, metric, &Counters::name},
#include "core/counters.def"
  };
  return rows;
}

Counters& Counters::operator+=(const Counters& other) {
  for (const CounterInfo& row : counter_table()) this->*row.field += other.*row.field;
  return *this;
}

SiteCounters& SiteCounters::operator+=(const SiteCounters& other) {
  executions += other.executions;
  lanes += other.lanes;
  requests += other.requests;
  sectors += other.sectors;
  sectors_ideal += other.sectors_ideal;
  wavefronts += other.wavefronts;
  wavefronts_ideal += other.wavefronts_ideal;
  bytes_used += other.bytes_used;
  worst_sectors = std::max(worst_sectors, other.worst_sectors);
  worst_wavefronts = std::max(worst_wavefronts, other.worst_wavefronts);
  return *this;
}

}  // namespace warpshop::timing
