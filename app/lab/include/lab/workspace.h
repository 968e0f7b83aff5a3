// The student's files, under user_dir(). The lab's own files are never written.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/result.h"
#include "lab/lab.h"

namespace warpshop::lab {

// user_dir()/work/LAB/STEP.cu
std::filesystem::path student_file(const Lab& lab, const Step& step);

// The student's text: the file, or the skeleton if there is none yet. Opening writes nothing.
Result<std::string> open_student_file(const Lab& lab, const Step& step);

// Saves atomically. With `keep_copy`, the previous text goes to history/.
Status save_student_file(const Lab& lab, const Step& step, const std::string& text,
                         bool keep_copy = false);

// Windows that can be open on the same work at once.
inline constexpr int kMostWindows = 9;
// user_dir()/NAME for the first of them; the others have their own: NAME-2, …
std::filesystem::path window_folder(const std::string& name, int window);
// autosave/LAB/STEP.cu in the window's folder: the unsaved text, which a crash leaves there.
std::filesystem::path draft_file(const Lab& lab, const Step& step, int window);
Status save_draft(const Lab& lab, const Step& step, int window, const std::string& text);

// The text written last: the student's file or a draft; none if there is neither. Error: it cannot
// be read.
struct WrittenText {
  std::string text;
  std::filesystem::path file;
};
Result<std::optional<WrittenText>> newest_text(const Lab& lab, const Step& step);

// Saves a text under history/ and returns its path.
Result<std::filesystem::path> keep_in_history(const Lab& lab, const Step& step,
                                              const std::string& text);

// Moves a lab's folder to history/labs/ and returns its new place. Error: it cannot be moved.
Result<std::filesystem::path> set_aside(const Lab& lab);

// Resets to the skeleton; moves the student's text to history/ and returns its path.
Result<std::filesystem::path> reset_student_file(const Lab& lab, const Step& step);

// user_dir()/passed/LAB/STEP.cu: the last version that passed.
std::filesystem::path passed_file(const Lab& lab, const Step& step);

// Saves `text` as the last version that passed. The worked solution never replaces the student's
// own version.
Status keep_passed_version(const Lab& lab, const Step& step, const std::string& text);

// The last version that passed, if any. Error: the file cannot be read.
Result<std::optional<std::string>> passed_version(const Lab& lab, const Step& step);

// The text that represents a student's work on an exercise in reports and when handed in: the last
// version that passed, else the current text. Experimenting after a pass costs nothing.
struct StandingText {
  enum class Version { kNotBegun, kPassed, kLatest };
  Version version = Version::kNotBegun;
  std::string source;          // the skeleton if the exercise was not started
  bool changed_since = false;  // for kPassed: the student's file has changed since
};
Result<StandingText> standing_text(const Lab& lab, const Step& step);

}  // namespace warpshop::lab
