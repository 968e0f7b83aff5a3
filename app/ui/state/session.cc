#include "state/session.h"

#include <cassert>

#include "core/files.h"
#include "state/step_state.h"

namespace warpshop::ui {
namespace {

bool is_file(const std::filesystem::path& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

std::string ids_of(const lab::LabLibrary& labs) {
  std::string out;
  for (const lab::Lab& lab : labs.labs) out += (out.empty() ? "" : ", ") + lab.id;
  return out.empty() ? "none" : out;
}

std::string ids_of(const lab::Lab& lab) {
  std::string out;
  for (const lab::Step& step : lab.steps) out += (out.empty() ? "" : ", ") + step.id;
  return out;
}

}  // namespace

const lab::Lab* find_lab(const lab::LabLibrary& labs, std::string_view id) {
  for (const lab::Lab& lab : labs.labs) {
    if (lab.id == id) return &lab;
  }
  return nullptr;
}

Session::Session(const lab::LabLibrary& labs, bool read_only, int window)
    : labs_(&labs), read_only_(read_only), window_(window) {
  lab::LoadedProgress loaded = lab::load_progress();
  progress_ = std::move(loaded.progress);
  problems_ = std::move(loaded.problems);
}

Session::Adopted Session::adopt(const lab::LabLibrary& labs) {
  const lab::Lab* lab = lab_ ? find_lab(labs, lab_->id) : nullptr;
  const lab::Step* step = lab ? lab->find_step(step_->id) : nullptr;
  if (!step || step->exercise.has_value() != step_->exercise.has_value()) return Adopted::kGone;
  const bool untouched = step->exercise && !dirty() && text_ == step_->exercise->skeleton;
  const bool new_text = untouched && step->exercise->skeleton != text_ && !on_disk_;
  labs_ = &labs;
  lab_ = lab;
  step_ = step;
  if (!new_text) return Adopted::kSame;
  text_ = saved_ = step->exercise->skeleton;
  return Adopted::kNewText;
}

Status Session::open_first(std::string_view lab_id, std::string_view step_id,
                           std::string_view left_lab, std::string_view left_step) {
  if (!lab_id.empty() && !step_id.empty()) return open(lab_id, step_id);
  if (lab_id.empty()) {
    if (const lab::Lab* left = find_lab(*labs_, left_lab); left && left->find_step(left_step)) {
      return open(left_lab, left_step);
    }
    if (labs_->labs.empty()) {
      return make_error("labs", "there are no labs to open",
                        "Set WARPSHOP_DATA to the folder that holds labs/, or run ./start again.");
    }
    lab_id = labs_->labs.front().id;
  }
  const lab::Lab* lab = find_lab(*labs_, lab_id);
  if (!lab || lab->steps.empty()) return open(lab_id, step_id);
  return open(lab_id, next_step(*lab, progress_)->id);
}

Status Session::open(std::string_view lab_id, std::string_view step_id) {
  const lab::Lab* lab = find_lab(*labs_, lab_id);
  if (!lab) {
    return make_error("labs", "there is no lab '" + std::string(lab_id) + "'",
                      "Labs: " + ids_of(*labs_) + ".");
  }
  const lab::Step* step = lab->find_step(step_id);
  if (!step) {
    return make_error("labs", "lab '" + lab->id + "' has no step '" + std::string(step_id) + "'",
                      "Steps: " + ids_of(*lab) + ".");
  }
  lab_ = lab;
  step_ = step;
  text_.clear();
  saved_.clear();
  autosaved_.clear();
  theirs_.clear();
  passed_version_.reset();
  undo_.close();
  on_disk_ = recovered_ = false;
  if (!step->exercise) return success();

  Result<std::optional<std::string>> passed = lab::passed_version(*lab, *step);
  if (passed.ok()) passed_version_ = std::move(*passed);

  on_disk_ = is_file(file());
  Result<std::string> text = lab::open_student_file(*lab, *step);
  if (!text.ok()) {
    // Show the skeleton so that the step can be read; do not touch the file.
    text_ = saved_ = step->exercise->skeleton;
    return text.errors();
  }
  text_ = saved_ = std::move(*text);
  if (is_file(autosave_file())) {
    if (Result<std::string> kept = read_file(autosave_file()); kept.ok()) {
      autosaved_ = *kept;
      if (*kept != saved_) {
        text_ = std::move(*kept);
        recovered_ = true;
      }
    }
  }
  if (!read_only_) undo_.open(undo_file(), text_);
  return passed.ok() ? success() : Status(passed.errors());
}

size_t Session::step_number() const {
  return step_ ? static_cast<size_t>(step_ - lab_->steps.data()) : 0;
}

std::pair<const lab::Lab*, const lab::Step*> Session::neighbour(int by) const {
  if (!step_) return {nullptr, nullptr};
  const auto number = static_cast<int64_t>(step_number()) + by;
  if (number >= 0 && number < static_cast<int64_t>(lab_->steps.size())) {
    return {lab_, &lab_->steps[static_cast<size_t>(number)]};
  }
  const auto lab_number = lab_ - labs_->labs.data() + (by > 0 ? 1 : -1);
  if (lab_number < 0 || lab_number >= static_cast<int64_t>(labs_->labs.size())) {
    return {nullptr, nullptr};
  }
  const lab::Lab& other = labs_->labs[static_cast<size_t>(lab_number)];
  if (other.steps.empty()) return {nullptr, nullptr};
  return {&other, by > 0 ? &other.steps.front() : &other.steps.back()};
}

std::filesystem::path Session::file() const {
  return step_ && step_->exercise ? lab::student_file(*lab_, *step_) : std::filesystem::path();
}

std::filesystem::path Session::autosave_file() const {
  return lab::draft_file(*lab_, *step_, window_);
}

std::filesystem::path Session::undo_file() const {
  return lab::window_folder("undo", window_) / lab_->id / (step_->id + ".jsonl");
}

std::string Session::file_name() const { return file().filename().string(); }

void Session::edit(std::string text, bool joined) {
  text_ = std::move(text);
  if (!read_only_ && step_ && step_->exercise) undo_.note(text_, joined);
}

Status Session::save() {
  if (!step_ || !step_->exercise || read_only_) return success();
  if (!dirty() && on_disk_) return autosave();
  if (Status saved = lab::save_student_file(*lab_, *step_, text_); !saved.ok()) return saved;
  saved_ = text_;
  on_disk_ = true;
  recovered_ = false;
  return autosave();
}

Status Session::autosave() {
  if (!step_ || !step_->exercise || read_only_) return success();
  // Written before the text: a crash between the two leaves a change that can be undone. The text
  // is saved even if this fails.
  undo_.note(text_);
  const Status undo = undo_.write();
  if (dirty() ? text_ != autosaved_ : !autosaved_.empty()) {
    if (!dirty()) {
      std::error_code error;
      std::filesystem::remove(autosave_file(), error);
      autosaved_.clear();
    } else if (Status written = lab::save_draft(*lab_, *step_, window_, text_); !written.ok()) {
      return written;
    } else {
      autosaved_ = text_;
    }
  }
  return undo;
}

void Session::give_up_unsaved() {
  saved_ = text_;
  autosaved_.clear();
}

Result<std::filesystem::path> Session::reset() {
  assert(step_ && step_->exercise);
  // Save first, so that the history gets the editor's current text.
  if (Status saved = save(); !saved.ok()) return saved.errors();
  Result<std::filesystem::path> kept = lab::reset_student_file(*lab_, *step_);
  if (!kept.ok()) return kept;
  text_ = saved_ = step_->exercise->skeleton;
  on_disk_ = is_file(file());
  recovered_ = false;
  if (Status cleared = autosave(); !cleared.ok()) return cleared.errors();
  return kept;
}

Status Session::take_solution() {
  assert(step_ && step_->exercise);
  if (Status saved = save(); !saved.ok()) return saved;
  text_ = step_->exercise->solution;
  if (read_only_) {
    saved_ = text_;
    return success();
  }
  if (Status saved = lab::save_student_file(*lab_, *step_, text_, true); !saved.ok()) return saved;
  saved_ = text_;
  on_disk_ = true;
  return autosave();
}

Status Session::note_pass(const std::string& text, const std::string& at) {
  lab::StepProgress& done = progress();
  if (read_only_) {
    if (!done.passed) done.passed_at = at;
    done.passed = true;
    return success();
  }
  if (Status recorded = lab::record_pass(*lab_, *step_, text, at, done); !recorded.ok())
    return recorded;
  if (!step_->exercise) return success();
  Result<std::optional<std::string>> now = lab::passed_version(*lab_, *step_);
  if (!now.ok()) return now.errors();
  passed_version_ = std::move(*now);
  return success();
}

Session::Outside Session::look_outside() {
  if (!step_ || !step_->exercise || !is_file(file())) return Outside::kNothing;
  Result<std::string> text = read_file(file());
  if (!text.ok() || *text == saved_) return Outside::kNothing;
  on_disk_ = true;
  if (*text == text_) {  // the same change on both sides
    saved_ = text_;
    return Outside::kNothing;
  }
  if (dirty()) {
    theirs_ = std::move(*text);
    return Outside::kConflict;
  }
  text_ = saved_ = std::move(*text);
  return Outside::kTaken;
}

Status Session::keep_mine() {
  if (theirs_.empty()) return success();
  // Theirs is already on disk: a copy of it goes to the history when ours replaces it.
  Status saved = lab::save_student_file(*lab_, *step_, text_, true);
  if (!saved.ok()) return saved;
  theirs_.clear();
  saved_ = text_;
  return autosave();
}

Status Session::take_theirs() {
  if (theirs_.empty()) return success();
  // Write ours to disk first, so that the history gets a copy.
  if (Status saved = lab::save_student_file(*lab_, *step_, text_); !saved.ok()) return saved;
  if (Status saved = lab::save_student_file(*lab_, *step_, theirs_, true); !saved.ok())
    return saved;
  text_ = saved_ = std::exchange(theirs_, {});
  return autosave();
}

lab::StepProgress& Session::progress() {
  assert(step_);
  return progress_.of(*lab_, *step_);
}

const lab::StepProgress* Session::progress_of(const lab::Step& step) const {
  return lab_ ? progress_.find(*lab_, step) : nullptr;
}

Status Session::save_progress() { return read_only_ ? success() : lab::save_progress(progress_); }

}  // namespace warpshop::ui
