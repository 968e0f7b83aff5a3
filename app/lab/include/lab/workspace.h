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

// Puts a text under history/ and returns where.
Result<std::filesystem::path> keep_in_history(const Lab& lab, const Step& step, const std::string& text);

// Back to the skeleton; the student's text is kept under history/ and its path returned.
Result<std::filesystem::path> reset_student_file(const Lab& lab, const Step& step);

// user_dir()/passed/LAB/STEP.cu: the last version that passed.
std::filesystem::path passed_file(const Lab& lab, const Step& step);

// Keeps `text` as the last version that passed. The worked solution does not replace a version of
// the student's own.
Status keep_passed_version(const Lab& lab, const Step& step, const std::string& text);

// The last version that passed; nothing where none has. Error: a file that cannot be read.
Result<std::optional<std::string>> passed_version(const Lab& lab, const Step& step);

// The text that stands for a student's work on an exercise, in reports and when it is handed in:
// the last version that passed, else what they have now. An experiment after a pass costs nothing.
struct StandingText {
  enum class Version { kNotBegun, kPassed, kLatest };
  Version version = Version::kNotBegun;
  std::string source;              // the skeleton where nothing was begun
  bool changed_since = false;      // of kPassed: the student's file has another text by now
};
Result<StandingText> standing_text(const Lab& lab, const Step& step);

struct StepProgress {
  bool passed = false;
  std::string passed_at;                    // for the first time; ISO 8601, UTC
  std::string version_passed_at;            // when the version in passed_file() passed
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
