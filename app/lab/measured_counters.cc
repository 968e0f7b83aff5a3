#include "lab/measured_counters.h"

#include "timing/counters.h"

namespace warpshop::lab {

std::vector<MeasuredCounter> measured_counters(const SizeResult& size) {
  std::vector<MeasuredCounter> out;
  if (!size.measured || !size.measured->job.counters) return out;
  for (const device::CounterValue& value : size.measured->job.counters->values) {
    MeasuredCounter counter{.name = value.name,
                            .unit = value.unit,
                            .metric = value.metric,
                            .measured = value.value,
                            .simulated = {}};
    for (const timing::CounterInfo& info : timing::counter_table()) {
      if (info.name == value.name) counter.simulated = size.student.counters.*info.field;
    }
    out.push_back(std::move(counter));
  }
  return out;
}

}  // namespace warpshop::lab
