// The names that a check's expressions may use, and their values for a run.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "lab/run_result.h"

namespace warpshop::lab {

struct MetricName {
  std::string name;     // "global_load_sectors"
  std::string unit;     // "sector"
  std::string meaning;  // one sentence
};
// Every counter and figure; a `reference.` prefix selects the reference's run.
const std::vector<MetricName>& metric_names();
bool is_metric_name(std::string_view name);
// Whether it is counted by the rules of the exercise's model GPU, with or without a `reference.`
// prefix.
bool is_model_metric(std::string_view name);

// Nothing if there is no such name, or the run has no value for it.
std::optional<double> metric_value(const KernelRun& run, std::string_view name);

}  // namespace warpshop::lab
