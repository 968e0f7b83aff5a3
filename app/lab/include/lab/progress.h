// What a student has done in each step: user_dir()/progress.json.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "core/diagnostic.h"
#include "core/result.h"
#include "lab/lab.h"

namespace warpshop::lab {

struct StepProgress {
  bool passed = false;
  std::string passed_at;          // first pass; ISO 8601, UTC
  std::string version_passed_at;  // when the version in passed_file() passed
  int runs = 0;
  int hints_shown = 0;
  bool solution_shown = false;
  std::map<int, int> answers;      // question → choice, an index into the file's order
  std::map<int, double> numbers;   // question → number typed
  std::optional<double> estimate;  // of the kernel's time or speedup, as the exercise asks
  // Whether the step's question of this index is answered. Not by a choice that the lab has no
  // more, nor by one where a number is asked for by now.
  bool answered(const Step& of, int question) const;
  bool answered_all(const Step& of) const;
};

struct Progress {
  int version = 1;
  std::map<std::string, StepProgress> steps;  // "lab/step"
  StepProgress& of(const Lab& lab, const Step& step);
  const StepProgress* find(const Lab& lab, const Step& step) const;
};

// Records in `progress` that this text passed, and keeps it as the last version that did
// (keep_passed_version). `at`: ISO 8601, UTC. A step without an exercise has no text.
Status record_pass(const Lab& lab, const Step& step, const std::string& text, const std::string& at,
                   StepProgress& progress);

// A missing file means empty progress. A broken one is renamed to progress.json.broken-N and
// reported.
struct LoadedProgress {
  Progress progress;
  Diagnostics problems;
};
LoadedProgress load_progress();
Status save_progress(const Progress& progress);

}  // namespace warpshop::lab
