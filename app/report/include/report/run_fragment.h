// One run as a piece of HTML for inside others' pages: the output of a notebook's cell.
#pragma once

#include <string>
#include <string_view>

#include "lab/run_result.h"

namespace warpshop::report {

// A <div> with its own style, which reaches nothing outside it, and no scripts: verdict, checks,
// findings, wrong results, maps, counters, predicted times, output and the cost of each line,
// whatever the run has. It follows the theme of JupyterLab, VS Code or Colab, elsewhere the
// system's. `name`: "coalescing/stride", or a kernel's name. Equal runs have equal ids.
std::string run_fragment(const lab::RunResult& result, std::string_view name);

}  // namespace warpshop::report
