// What stands in the columns beside the editor's lines: one measure at a time, of the student's
// kernel. No drawing.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "lab/run_result.h"
#include "state/line_measure.h"
#include "text/metrics.h"

namespace warpshop::ui {

const char* title_of(LineMeasure measure);  // for people; a text of the catalogue
const MetricWords& metric_of(LineMeasure measure, bool chip);

struct LineFigure {
  struct Part {
    std::string text;  // a number: its unit is the column's
    bool waste =
        false;       // more than the line's lanes would need, lanes that stand by, the most waiting
    int column = 0;  // parts of one column are a load's and a store's
  };
  std::vector<Part> parts;
  double heat = 1;     // of the mark beside the line: 0 to 1
  std::string detail;  // for the tooltip: why its warps wait, why wavefronts are below 1
  bool waste() const;
};

// The columns' units for people, of catalogue texts: "sect" and "wave" for memory, "trans" and
// "pass" of a chip that counts by rules of its own (lab::KernelRun::chip); null where there is no
// second column.
std::array<const char*, 2> columns_of(LineMeasure measure, bool chip);

// What one access of a line costs: sectors or transactions, a load's before a store's, in the first
// column, wavefronts or passes in the second. Empty for a line that touches no memory.
LineFigure figure_of(const lab::LineCost& cost, bool chip = false);

// By line of the student's file; lines of which there is nothing to say are missing. Stalls need a
// prediction.
std::map<int, LineFigure> line_figures(const lab::RunResult& result, LineMeasure measure);

}  // namespace warpshop::ui
