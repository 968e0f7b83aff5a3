// A lab as one self-contained HTML page: the task, the student's kernel, its memory traffic as
// pictures and tables, checks and findings. For handing in, for printing, and for screen readers:
// every picture has a title, a description and the same facts as a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/lab.h"
#include "lab/progress.h"
#include "lab/run_result.h"

namespace warpshop::report {

struct StepReport {
  const lab::Step* step = nullptr;
  std::optional<lab::RunResult> result;  // for an exercise
  std::string whose;                     // "Your kernel", "The worked solution", …
  bool begun = true;                     // false: an exercise not started yet
};

struct Report {
  const lab::Lab* lab = nullptr;
  std::vector<StepReport> steps;
  const lab::Progress* progress = nullptr;  // null: omit answers
  std::string gpu;                          // "NVIDIA H200"
  std::string author;                       // may be empty
  std::string written;                      // "2026-11-21"
};

// A complete page, both HTML and XML ("polyglot"), so that any program can read it.
std::string html_page(const Report& report);

}  // namespace warpshop::report
