#include "watched_lab.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/descriptor.h"
#include "core/files.h"
#include "core/utc.h"
#include "core/write_all.h"
#include "lab/workspace.h"

namespace warpshop::cli {
namespace {

namespace fs = std::filesystem;

// A path that a terminal or an editor can open, as short as possible.
std::string shown_path(const fs::path& file) {
  std::error_code error;
  const fs::path below = file.lexically_relative(fs::current_path(error));
  return error || below.empty() || *below.begin() == ".." ? file.string() : below.string();
}

Diagnostic not_written(const fs::path& file) {
  return make_error("file", file.string() + " cannot be written: " + std::strerror(errno),
                    "choose another folder with --dir");
}

}  // namespace

WatchedExercise watched_file(const lab::Step& step, const fs::path& file) {
  std::error_code ignored;
  const fs::path whole = fs::absolute(file, ignored).lexically_normal();
  return {&step, whole, shown_path(whole)};
}

Result<std::vector<WatchedExercise>> watched_exercises(const lab::Lab& lab,
                                                       const fs::path& folder) {
  std::vector<WatchedExercise> out;
  for (const lab::Step& step : lab.steps) {
    if (!step.exercise) continue;
    out.push_back(watched_file(
        step, folder.empty() ? lab::student_file(lab, step) : folder / lab.id / (step.id + ".cu")));
  }
  if (out.empty()) return make_error("usage", "the lab '" + lab.id + "' has no exercise");
  return out;
}

Status write_if_missing(WatchedExercise& exercise) {
  std::error_code error;
  fs::create_directories(exercise.file.parent_path(), error);
  Descriptor file(
      ::open(exercise.file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode_t{0666}));
  if (!file.is_open()) return errno == EEXIST ? success() : Status(not_written(exercise.file));
  const std::string& text = exercise.step->exercise->skeleton;
  if (!write_all(file.get(), text)) {
    const Diagnostic problem = not_written(exercise.file);
    ::unlink(exercise.file.c_str());  // half a skeleton would be taken for the student's text
    return problem;
  }
  if (!file.close_now()) return not_written(exercise.file);
  exercise.is_written = true;
  return success();
}

WatchedProgress::WatchedProgress(const lab::Lab& lab) : lab_(lab) {
  lab::LoadedProgress loaded = lab::load_progress();
  progress_ = std::move(loaded.progress);
  problems_ = std::move(loaded.problems);
}

lab::StepProgress WatchedProgress::of(const lab::Step& step) const {
  const lab::StepProgress* found = progress_.find(lab_, step);
  return found == nullptr ? lab::StepProgress{} : *found;
}

Status WatchedProgress::note_run(const lab::Step& step, const lab::RunResult& result) {
  lab::StepProgress& progress = progress_.of(lab_, step);
  if (result.student()) ++progress.runs;
  if (result.passed) {
    Status recorded =
        lab::record_pass(lab_, step, result.source, utc_now("%Y-%m-%dT%H:%M:%SZ"), progress);
    if (!recorded.ok()) return recorded;
  }
  return save();
}

Status WatchedProgress::note_hint(const lab::Step& step) {
  ++progress_.of(lab_, step).hints_shown;
  return save();
}

Status WatchedProgress::note_solution(const lab::Step& step) {
  progress_.of(lab_, step).solution_shown = true;
  return save();
}

Status WatchedProgress::save() {
  const Status saved = lab::save_progress(progress_);
  if (!saved.ok()) return saved;
  lab::LoadedProgress merged = lab::load_progress();
  if (merged.problems.empty()) progress_ = std::move(merged.progress);
  return success();
}

}  // namespace warpshop::cli
