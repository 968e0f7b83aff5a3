#include "control/leaving.h"

#include <cstdlib>
#include <utility>

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

}  // namespace

Leaving::Leaving(Shell& shell, Docks& docks, OpenWork& work)
    : shell_(shell), docks_(docks), work_(work) {
  CommandTable& commands = shell.commands;
  commands.on([this](const command::RetryUnsaved&) { retry(); });
  commands.on([this](const command::LeaveUnsaved&) { leave_unsaved(); });
  commands.on([this](const command::SaveElsewhere& c) {
    const fs::path file = path_as_typed(c.file);
    std::error_code ignored;
    if (fs::exists(file, ignored)) {
      propose_free_name(file, shell_.dialog);
      return;
    }
    if (Status written = write_file_atomically(file, work_.session->text()); !written.ok()) {
      shell_.dialog.unsaved = written.errors();
      return;
    }
    shell_.say_saved(tr("Saved: {}", file.string()), file);
    leave_unsaved();
  });
  commands.on([this](const command::OpenProgress&) {
    shell_.dialog.open = Dialog::kProgress;
    shell_.dialog.unsaved.clear();
    shell_.dialog.elsewhere = other_place("warpshop-progress.json");
  });
  commands.on([this](const command::ExportProgress& c) {
    const fs::path file = path_as_typed(c.file);
    std::error_code ignored;
    if (fs::exists(file, ignored)) {
      propose_free_name(file, shell_.dialog);
      return;
    }
    if (!shell_.lecture.on()) shell_.say(work_.session->save());
    const Result<std::string> text = lab::export_progress(work_.labs->labs);
    const Status written = text.ok() ? write_file_atomically(file, *text) : Status(text.errors());
    if (!written.ok()) {
      shell_.dialog.unsaved = written.errors();
      return;
    }
    shell_.dialog.open = Dialog::kNone;
    shell_.say_saved(tr("Your texts and progress are in {}", file.string()), file);
  });
  commands.on_work([this](const command::ImportProgress& c) {
    const fs::path file = path_as_typed(c.file);
    const std::string lab = work_.session->lab() ? work_.session->lab()->id : "",
                      step = work_.session->step() ? work_.session->step()->id : "";
    work_.leave_step();
    if (!work_.session->kept()) return;  // the notice says why
    const Result<std::string> text = read_file(file);
    Result<lab::ImportReport> report = text.ok() ? lab::import_progress(*text, work_.labs->labs)
                                                 : Result<lab::ImportReport>(text.errors());
    if (!report.ok()) {
      shell_.dialog.unsaved = report.errors();
      for (Diagnostic& error : shell_.dialog.unsaved) {
        if (error.place.file.empty()) error.place.file = file.string();
      }
      return;
    }
    shell_.dialog.open = Dialog::kNone;
    work_.session =
        std::make_unique<Session>(*work_.labs, shell_.options.read_only, instance_.window());
    // The step behind the home page is new as well, but the page stays.
    const bool home = docks_.drop_home();
    if (!step.empty()) shell_.apply(command::OpenStep{lab, step});
    if (home) {
      docks_.forget_focus();
      docks_.show_home();
    }
    shell_.say(report->notes);
    shell_.say(tr("Taken over: {}, {}. Texts that differed are kept in the history.",
                  tr_count(static_cast<uint64_t>(report->steps), "{} step", "{} steps"),
                  tr_count(static_cast<uint64_t>(report->texts), "{} text", "{} texts")));
  });
}

void Leaving::begin_beside_other_windows() {
  if (shell_.options.read_only) return;
  instance_.take(user_dir());
  if (instance_.window() > 1) {
    shell_.dialog.other_window = instance_.first();
    other_window_due_ = true;
  } else if (gather_unsaved(user_dir()) > 0) {
    shell_.say(tr("Unsaved edits of another window were found and kept."));
  }
}

bool Leaving::kept_or_asked(Command then) {
  if (!work_.session || !work_.session->step() || work_.session->kept()) return true;
  const Status saved = work_.session->save();
  if (work_.session->kept()) return true;
  shell_.dialog.unsaved = saved.ok() ? Diagnostics() : saved.errors();
  shell_.dialog.elsewhere = other_place(work_.session->file_name());
  shell_.dialog.open = Dialog::kUnsaved;
  after_unsaved_ = std::move(then);
  shell_.draw_frames(3);
  return false;
}

void Leaving::retry() {
  shell_.dialog.open = Dialog::kNone;
  if (after_unsaved_) shell_.queue.push(*std::exchange(after_unsaved_, std::nullopt));
}

void Leaving::leave_unsaved() {
  work_.session->give_up_unsaved();
  retry();
}

void Leaving::show_other_window() {
  if (!std::exchange(other_window_due_, false)) return;
  shell_.dialog.open = Dialog::kOtherWindow;
  shell_.draw_frames(3);
}

}  // namespace warpshop::ui
