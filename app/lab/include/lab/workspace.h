// The student's files and progress, under user_dir(). The lab's own files are never written.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "lab/lab.h"

namespace warpshop::lab {

// user_dir()/work/LAB/STEP.cu
std::filesystem::path student_file(const Lab& lab, const Step& step);

// The student's text: the file, or the skeleton when there is none yet (nothing is written by opening).
Result<std::string> open_student_file(const Lab& lab, const Step& step);

// Saves atomically. The text before goes to history/ when `keep_copy`.
Status save_student_file(const Lab& lab, const Step& step, const std::string& text, bool keep_copy = false);

// Back to the skeleton; the student's text is kept under history/ and its path returned.
Result<std::filesystem::path> reset_student_file(const Lab& lab, const Step& step);

struct StepProgress {
  bool passed = false;
  std::string passed_at;                    // ISO 8601, UTC
  int runs = 0;
  int hints_shown = 0;
  bool solution_shown = false;
  std::map<int, int> answers;               // question → choice
};

struct Progress {
  int version = 1;
  std::map<std::string, StepProgress> steps;   // "lab/step"
  StepProgress& of(const Lab& lab, const Step& step);
  const StepProgress* find(const Lab& lab, const Step& step) const;
};

// A missing file is empty progress. A broken one is kept beside as progress.json.broken-N and said.
struct LoadedProgress { Progress progress; Diagnostics problems; };
LoadedProgress load_progress();
Status save_progress(const Progress& progress);

}  // namespace warpshop::lab
