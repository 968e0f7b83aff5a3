// Protects the student's files: nothing is lost without the student's consent. Handles text that
// cannot be saved when its step or the window is left, another window on the same files, and moving
// the work to another machine.
#include <cstdlib>
#include <utility>

#include "app/lab_app.h"
#include "core/files.h"
#include "lab/transfer.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;

// Where to save instead: the home folder, else the system's temporary folder.
std::string other_place(const std::string& file_name) {
  const char* home = std::getenv("HOME");
  return ((home != nullptr && *home != '\0' ? fs::path(home) : fs::temp_directory_path()) /
          file_name)
      .string();
}

// Says that the file exists, and fills in a free name: work-2.json for work.json.
void propose_free_name(const fs::path& file, DialogState& dialog) {
  dialog.unsaved = {make_error_at({file.string()}, "file",
                                  tr("there is already a file of that name"),
                                  tr("A free name is filled in below: use it, or type another."))};
  fs::path free = file;
  std::error_code ignored;
  for (int n = 2; fs::exists(free, ignored); ++n) {
    free.replace_filename(file.stem().string() + "-" + std::to_string(n) +
                          file.extension().string());
  }
  dialog.elsewhere = free.string();
}

}  // namespace

void App::begin_beside_other_windows() {
  if (options_.read_only) return;
  instance_.take(user_dir());
  if (instance_.window() > 1) {
    dialog_.other_window = instance_.first();
    other_window_due_ = true;
  } else if (gather_unsaved(user_dir()) > 0) {
    toasts_.say(tr("Unsaved edits of another window were found and kept."), now());
  }
}

bool App::kept_or_asked(Command then) {
  if (!session_ || !session_->step() || session_->kept()) return true;
  const Status saved = session_->save();
  if (session_->kept()) return true;
  dialog_.unsaved = saved.ok() ? Diagnostics() : saved.errors();
  dialog_.elsewhere = other_place(session_->file_name());
  dialog_.open = Dialog::kUnsaved;
  after_unsaved_ = std::move(then);
  frames_due_ = 3;
  return false;
}

bool App::may_close() {
  if (lecture_.on() && student_session_ && !student_session_->kept())
    apply(command::LeaveLecture{});
  if (kept_or_asked(command::Quit{})) return true;
  window_->keep_open();
  return false;
}

void App::apply(const command::RetryUnsaved&) {
  dialog_.open = Dialog::kNone;
  if (after_unsaved_) send(*std::exchange(after_unsaved_, std::nullopt));
}

void App::apply(const command::SaveElsewhere& c) {
  const fs::path file = path_as_typed(c.file);
  std::error_code ignored;
  if (fs::exists(file, ignored)) {
    propose_free_name(file, dialog_);
    return;
  }
  if (Status written = write_file_atomically(file, session_->text()); !written.ok()) {
    dialog_.unsaved = written.errors();
    return;
  }
  say_saved(tr("Saved: {}", file.string()), file);
  apply(command::LeaveUnsaved{});
}

void App::apply(const command::LeaveUnsaved&) {
  session_->give_up_unsaved();
  apply(command::RetryUnsaved{});
}

void App::apply(const command::OpenProgress&) {
  dialog_.open = Dialog::kProgress;
  dialog_.unsaved.clear();
  dialog_.elsewhere = other_place("warpshop-progress.json");
}

void App::apply(const command::ExportProgress& c) {
  const fs::path file = path_as_typed(c.file);
  std::error_code ignored;
  if (fs::exists(file, ignored)) {
    propose_free_name(file, dialog_);
    return;
  }
  if (!lecture_.on()) say(session_->save());
  const Result<std::string> text = lab::export_progress(labs_->labs);
  const Status written = text.ok() ? write_file_atomically(file, *text) : Status(text.errors());
  if (!written.ok()) {
    dialog_.unsaved = written.errors();
    return;
  }
  dialog_.open = Dialog::kNone;
  say_saved(tr("Your texts and progress are in {}", file.string()), file);
}

void App::apply(const command::ImportProgress& c) {
  const fs::path file = path_as_typed(c.file);
  const std::string lab = session_->lab() ? session_->lab()->id : "",
                    step = session_->step() ? session_->step()->id : "";
  leave_step();
  if (!session_->kept()) return;  // the notice says why
  const Result<std::string> text = read_file(file);
  Result<lab::ImportReport> report = text.ok() ? lab::import_progress(*text, labs_->labs)
                                               : Result<lab::ImportReport>(text.errors());
  if (!report.ok()) {
    dialog_.unsaved = report.errors();
    for (Diagnostic& error : dialog_.unsaved) {
      if (error.place.file.empty()) error.place.file = file.string();
    }
    return;
  }
  dialog_.open = Dialog::kNone;
  session_ = std::make_unique<Session>(*labs_, options_.read_only, instance_.window());
  // The step behind the home page is new as well, but the page stays.
  const bool home = std::exchange(home_.open, false);
  if (!step.empty()) open_step(lab, step);
  if (home) {
    focus_panel_.clear();
    show_home();
  }
  toasts_.say(report->notes, now());
  toasts_.say(tr("Taken over: {}, {}. Texts that differed are kept in the history.",
                 tr_count(static_cast<uint64_t>(report->steps), "{} step", "{} steps"),
                 tr_count(static_cast<uint64_t>(report->texts), "{} text", "{} texts")),
              now());
}

void App::apply(const command::OpenWorkFolder&) { apply(command::OpenPath{user_dir().string()}); }

void App::apply(const command::OpenPath& c) {
  const std::string path = !c.path.empty()   ? c.path
                           : !saved_.empty() ? saved_
                                             : user_dir().string();
  const auto open = ImGui::GetPlatformIO().Platform_OpenInShellFn;
  if (open && open(ImGui::GetCurrentContext(), path.c_str())) return;
  ImGui::SetClipboardText(path.c_str());
  toasts_.say(tr("Nothing here can open it. Its path is on the clipboard: {}", path), now());
}

void App::say_saved(std::string text, const fs::path& path) {
  saved_ = path.string();
  toasts_.say_saved(std::move(text), path, now());
}

}  // namespace warpshop::ui
