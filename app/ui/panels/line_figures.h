// What stands at the right edge of the editor's lines: one measure at a time, of the student's kernel. No drawing.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "lab/run_result.h"
#include "state/line_measure.h"
#include "text/metrics.h"

namespace warpshop::ui {

const char* title_of(LineMeasure measure);                    // for people; a text of the catalogue
const MetricWords& metric_of(LineMeasure measure);

struct LineFigure {
  struct Part {
    std::string text;
    bool waste = false;  // more than the line's lanes would need, lanes that stand by, the most waiting
  };
  std::vector<Part> parts;
  double heat = 1;       // of the mark beside the line: 0 to 1
  std::string detail;    // for the tooltip: why its warps wait
  bool waste() const;
};

// What one access of a line costs: "4 sect"; "load 4", "store 32"; "32 wave". Empty for a line that touches no memory.
LineFigure figure_of(const lab::LineCost& cost);

// By line of the student's file; lines of which there is nothing to say are missing. Stalls need a prediction.
std::map<int, LineFigure> line_figures(const lab::RunResult& result, LineMeasure measure);

}  // namespace warpshop::ui
