// A lab's exercises as files in the student's own editor, and what is recorded about them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"
#include "lab/lab.h"
#include "lab/progress.h"
#include "lab/run_result.h"

namespace warpshop::cli {

struct WatchedExercise {
  const lab::Step* step = nullptr;
  std::filesystem::path file;
  std::string shown;        // the file's name in messages: relative to the current folder if below
  bool is_written = false;  // the skeleton has just been written there
};

// The lab's exercises in order: in the student's own files (lab::student_file), or in
// `folder`/LAB/STEP.cu, if there is a folder. Error: none.
Result<std::vector<WatchedExercise>> watched_exercises(const lab::Lab& lab,
                                                       const std::filesystem::path& folder);
// One exercise in any file.
WatchedExercise watched_file(const lab::Step& step, const std::filesystem::path& file);

// Writes the skeleton if there is no file, link or anything else of that name. Error: the place
// cannot be written.
Status write_if_missing(WatchedExercise& exercise);

// What the window, reports and handing in know as well: lab/progress.h. Each change is saved at
// once, on top of what another program has saved since.
class WatchedProgress {
 public:
  explicit WatchedProgress(const lab::Lab& lab);
  const Diagnostics& problems() const { return problems_; }
  lab::StepProgress of(const lab::Step& step) const;
  bool passed(const lab::Step& step) const { return of(step).passed; }
  // A check of `text`, which the student has changed.
  Status note_run(const lab::Step& step, const lab::RunResult& result);
  Status note_hint(const lab::Step& step);
  Status note_solution(const lab::Step& step);

 private:
  Status save();
  const lab::Lab& lab_;
  lab::Progress progress_;
  Diagnostics problems_;
};

}  // namespace warpshop::cli
