// Computes the figures beside the editor's lines, one measure at a time, for the student's kernel.
// Draws nothing.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "lab/run_result.h"
#include "state/line_measure.h"
#include "text/metrics.h"

namespace warpshop::ui {

const char* title_of(LineMeasure measure);  // for display; a key of the catalogue
const MetricWords& metric_of(LineMeasure measure, bool chip);

struct LineFigure {
  struct Part {
    std::string text;  // a number without its unit, which is the column's
    // Highlight as costly: more than the lanes would need, idle lanes, or a large share of all
    // waiting.
    bool waste = false;
    int column = 0;  // parts in one column are a load and a store
  };
  std::vector<Part> parts;
  double heat = 1;     // of the mark beside the line, 0 to 1
  std::string detail;  // for the tooltip: why its warps wait, or why wavefronts are below 1
  bool waste() const;
};

// Units of the columns for display, as keys of the catalogue: "sect" and "wave" for memory; "trans"
// and "pass" on a chip with its own rules (lab::KernelRun::chip). Null if there is no second
// column.
std::array<const char*, 2> columns_of(LineMeasure measure, bool chip);

// Cost of one access of a line: in the first column sectors or transactions, loads before stores;
// in the second, wavefronts or passes. Empty for a line that accesses no memory.
LineFigure figure_of(const lab::LineCost& cost, bool chip = false);

// Figures by line of the student's file; lines without any are missing. Stalls need a prediction.
std::map<int, LineFigure> line_figures(const lab::RunResult& result, LineMeasure measure);

}  // namespace warpshop::ui
