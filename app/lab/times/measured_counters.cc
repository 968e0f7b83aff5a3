#include "lab/measured_counters.h"

namespace warpshop::lab {

std::vector<MeasuredCounter> measured_counters(const device::CounterReading& reading,
                                               const timing::Counters& simulated) {
  std::vector<MeasuredCounter> out;
  for (const device::CounterValue& value : reading.values) {
    MeasuredCounter counter{.name = value.name,
                            .unit = value.unit,
                            .metric = value.metric,
                            .measured = value.value,
                            .simulated = {}};
    for (const timing::CounterInfo& info : timing::counter_table()) {
      if (info.name == value.name) counter.simulated = simulated.*info.field;
    }
    out.push_back(std::move(counter));
  }
  return out;
}

std::vector<MeasuredCounter> measured_counters(const SizeResult& size) {
  if (!size.measured || !size.measured->job.counters) return {};
  return measured_counters(*size.measured->job.counters, size.student.counters);
}

}  // namespace warpshop::lab
