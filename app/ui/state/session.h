// The open step: the student's text, what of it is on the disk, and the progress. No drawing.
//
//   editor ──edit()──▶ text ──save()──▶ work/LAB/STEP.cu ◀── another program
//                        ├──note_pass()▶ passed/LAB/STEP.cu     (the last version that passed)
//                        ├──autosave──▶ autosave/LAB/STEP.cu   (what a crash would have lost)
//                        └──autosave──▶ undo/LAB/STEP.jsonl    (changes, to be undone)
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "lab/lab.h"
#include "lab/workspace.h"
#include "state/undo_journal.h"

namespace warpshop::ui {

class Session {
 public:
  // `read_only`: nothing is written, whatever is asked (pictures of the window). `window`: which of
  // the windows on the same work this is, from 1; each keeps what is not saved in a folder of its
  // own.
  Session(const lab::LabLibrary& labs, bool read_only, int window = 1);

  // The same step of labs that were loaded anew: text, undo and progress stay, and so do they all
  // where the step is no longer there. A text that is still what the step begins with becomes what
  // it begins with now.
  enum class Adopted { kGone, kSame, kNewText };
  Adopted adopt(const lab::LabLibrary& labs);

  // The step that the student should see first: the one asked for, else where they left off, else
  // the first that is not passed. Error: an unknown lab or step, with those there are.
  Status open_first(std::string_view lab_id, std::string_view step_id, std::string_view left_lab,
                    std::string_view left_step);
  Status open(std::string_view lab_id, std::string_view step_id);

  const lab::Lab* lab() const { return lab_; }  // null: there are no labs
  const lab::Step* step() const { return step_; }
  std::string place() const {
    return step_ ? lab_->id + "/" + step_->id : std::string();
  }                            // "lab/step"
  size_t step_number() const;  // from 0, inside the lab
  // `by` steps further on, across labs; null past either end.
  std::pair<const lab::Lab*, const lab::Step*> neighbour(int by) const;

  const std::string& text() const { return text_; }
  bool dirty() const { return text_ != saved_; }
  bool on_disk() const { return on_disk_; }
  std::filesystem::path file() const;  // empty for a step without an exercise
  std::string file_name() const;       // "stride.cu"
  // Edits that a crash or a power cut left behind were put back into the text.
  bool recovered() const { return recovered_; }

  void edit(std::string text, bool joined = false);  // see TextStep
  // What can be undone and redone, of earlier sessions too.
  const UndoJournal& undo() const { return undo_; }
  Status save();
  // Writes the unsaved text where open() finds it again; removes it when there is none.
  Status autosave();
  // Whether open() would find the text again: it is saved, or autosave() has it.
  bool kept() const { return !dirty() || read_only_ || autosaved_ == text_; }
  // What is not saved may go; nothing on the disk is touched.
  void give_up_unsaved();
  Result<std::filesystem::path> reset();
  // The worked solution as the text; the student's own is kept in the history.
  Status take_solution();

  // The last version that passed; nothing where none has.
  const std::optional<std::string>& passed_version() const { return passed_version_; }
  // Keeps a version that has just passed, and says so in the progress. `at`: ISO 8601, UTC.
  Status note_pass(const std::string& text, const std::string& at);

  // After the folder has changed. What the other program wrote is taken over when nothing is
  // unsaved.
  enum class Outside { kNothing, kTaken, kConflict };
  Outside look_outside();
  const std::string& theirs() const { return theirs_; }  // of a conflict
  // Either way the other text is kept in the history.
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
  const std::string window_;  // behind the names of this window's own folders: "", "-2", …
  lab::Progress progress_;
  Diagnostics problems_;
  const lab::Lab* lab_ = nullptr;
  const lab::Step* step_ = nullptr;
  std::string text_;       // as in the editor
  std::string saved_;      // as on the disk, or the skeleton while there is no file
  std::string autosaved_;  // what the autosave file holds; empty: there is none
  std::string theirs_;
  std::optional<std::string> passed_version_;
  UndoJournal undo_;
  bool on_disk_ = false;
  bool recovered_ = false;
};

}  // namespace warpshop::ui
