// The times of a run, one beside the other, each with where it comes from: what the window, the
// report and the command line show as a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/lab.h"
#include "lab/run_result.h"

namespace warpshop::lab {

struct TimeRow {
  Provenance provenance = Provenance::kMeasured;
  std::string what;             // "yours", "reference", "best copy", a published figure's label
  double us = 0;                // of a launch, warm; 0: there is none
  double cold_us = 0;           // measured: with an empty L2 and new inputs
  double spread_us = 0;         // of cold_us, between the quartiles
  double gb_s = 0;              // useful bytes by `us`; 0: the lab gives none
  std::optional<double> error;  // predicted: by the measured time beside it, less 1
  double value = 0;             // published: in `unit`
  std::string unit;
  Sentence origin;              // "NVIDIA H200, driver 580.159.04", "the model of NVIDIA H200", a source
};

// Of one size: measured, then predicted, then the figures that the lab's script publishes for the
// step. Those that there are.
std::vector<TimeRow> time_rows(const Lab& lab, const RunResult& result, size_t size = 0);

}  // namespace warpshop::lab
