// A lab as one HTML page that needs no network: what was to be done, the student's kernel, what it
// asked of memory as pictures and tables, checks and findings. For handing in, for printing, and
// for people whom a screen reader serves: every picture has a title, a description and the same
// facts as a table.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "lab/lab.h"
#include "lab/run_result.h"
#include "lab/workspace.h"

namespace warpshop::report {

struct StepReport {
  const lab::Step* step = nullptr;
  std::optional<lab::RunResult> result;  // of an exercise
  std::string whose;                     // "Your kernel", "The worked solution", …
  bool begun = true;                     // false: an exercise for which nothing was written yet
};

struct Report {
  const lab::Lab* lab = nullptr;
  std::vector<StepReport> steps;
  const lab::Progress* progress = nullptr;  // null: answers are left out
  std::string gpu;                          // "NVIDIA H200"
  std::string author;                       // may be empty
  std::string written;                      // "2026-11-21"
};

// A whole page. It is XML as well as HTML (a "polyglot" page), so that any program can read it.
std::string html_page(const Report& report);

}  // namespace warpshop::report
