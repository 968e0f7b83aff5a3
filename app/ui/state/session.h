// The open step: the student's text, its state on disk, and the progress. No drawing.
//
//   editor ──edit()──▶ text ──save()──▶ work/LAB/STEP.cu ◀── another program
//                        ├──note_pass()▶ passed/LAB/STEP.cu     (the last version that passed)
//                        ├──autosave──▶ autosave/LAB/STEP.cu   (what a crash would lose)
//                        └──autosave──▶ undo/LAB/STEP.jsonl    (changes, to be undone)
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "lab/lab.h"
#include "lab/progress.h"
#include "lab/workspace.h"
#include "state/undo_journal.h"

namespace warpshop::ui {

// Null if there is none of that id.
const lab::Lab* find_lab(const lab::LabLibrary& labs, std::string_view id);

class Session {
 public:
  // `read_only`: never writes anything (for pictures of the window). `window`: the number of this
  // window among those on the same work, from 1; each keeps unsaved text in its own folder.
  Session(const lab::LabLibrary& labs, bool read_only, int window = 1);

  // Switches to the same step in reloaded labs. Keeps text, undo history
  // and progress, even if the step no longer exists. A text that still
  // equals the step's initial text is replaced by the new initial text.
  enum class Adopted { kGone, kSame, kNewText };
  Adopted adopt(const lab::LabLibrary& labs);

  // Opens the step that the student should see first: the one requested, else where they left off,
  // else the first that is not passed. Error: an unknown lab or step; lists the known ones.
  Status open_first(std::string_view lab_id, std::string_view step_id, std::string_view left_lab,
                    std::string_view left_step);
  Status open(std::string_view lab_id, std::string_view step_id);

  const lab::Lab* lab() const { return lab_; }  // null: there are no labs
  const lab::Step* step() const { return step_; }
  // "lab/step"
  std::string place() const { return step_ ? lab_->id + "/" + step_->id : std::string(); }
  size_t step_number() const;  // from 0, within the lab
  // `by` steps further on, across labs; null past either end.
  std::pair<const lab::Lab*, const lab::Step*> neighbour(int by) const;

  const std::string& text() const { return text_; }
  bool dirty() const { return text_ != saved_; }
  bool on_disk() const { return on_disk_; }
  std::filesystem::path file() const;  // empty for a step without an exercise
  std::string file_name() const;       // "stride.cu"
  // True if edits left behind by a crash or a power cut were restored into the text.
  bool recovered() const { return recovered_; }

  void edit(std::string text, bool joined = false);  // see TextStep
  // The undo history, which includes earlier sessions.
  const UndoJournal& undo() const { return undo_; }
  Status save();
  // Writes the unsaved text to where open() finds it; removes that file if nothing is unsaved.
  Status autosave();
  // True if open() would find the text again: it is saved, or autosave() has stored it.
  bool kept() const { return !dirty() || read_only_ || autosaved_ == text_; }
  // Allows unsaved text to be dropped; does not touch the disk.
  void give_up_unsaved();
  Result<std::filesystem::path> reset();
  // Replaces the text with the worked solution; the student's own stays in the history.
  Status take_solution();

  // The last version that passed; none if no version has.
  const std::optional<std::string>& passed_version() const { return passed_version_; }
  // Stores a version that has just passed, and records it in the progress. `at`: ISO 8601, UTC.
  Status note_pass(const std::string& text, const std::string& at);

  // Call after the folder has changed. Takes over what another program wrote if nothing is unsaved.
  enum class Outside { kNothing, kTaken, kConflict };
  Outside look_outside();
  const std::string& theirs() const { return theirs_; }  // in a conflict
  // Either way, the other text stays in the history.
  Status keep_mine();
  Status take_theirs();

  lab::StepProgress& progress();
  const lab::Progress& all_progress() const { return progress_; }
  const lab::StepProgress* progress_of(const lab::Step& step) const;
  Status save_progress();
  const Diagnostics& problems() const { return problems_; }  // of reading the progress

 private:
  std::filesystem::path autosave_file() const;
  std::filesystem::path undo_file() const;

  const lab::LabLibrary* labs_;
  const bool read_only_;
  const int window_;  // from 1
  lab::Progress progress_;
  Diagnostics problems_;
  const lab::Lab* lab_ = nullptr;
  const lab::Step* step_ = nullptr;
  std::string text_;       // as in the editor
  std::string saved_;      // as on disk, or the skeleton while there is no file
  std::string autosaved_;  // contents of the autosave file; empty if there is none
  std::string theirs_;
  std::optional<std::string> passed_version_;
  UndoJournal undo_;
  bool on_disk_ = false;
  bool recovered_ = false;
};

}  // namespace warpshop::ui
