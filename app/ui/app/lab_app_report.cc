// Writes the lab's report from the window: the same page as `warpshop report LAB` on the terminal.
#include "app/lab_app.h"
#include "core/files.h"
#include "core/utc.h"
#include "lab/hand_in.h"
#include "lab/transfer.h"
#include "text/text.h"

namespace warpshop::ui {

void App::apply(const command::WriteReport&) {
  // Use the student's own GPU for all steps: not every
  // kernel of the lab runs on the open step's GPU.
  const models::GpuProfile* own = profile_of(settings_.gpu);
  if (report_worker_->busy() || !session_->lab() || !own) return;
  if (session_->dirty()) say(session_->save());
  const lab::Lab& lab = *session_->lab();
  ReportJob job;
  job.labs = labs_;
  job.lab = &lab;
  job.gpu = *own;
  job.file = user_dir() / "reports" / (lab.id + "-" + utc_now("%Y%m%d-%H%M%S") + ".html");
  report_worker_->write(std::move(job));
  toasts_.say(tr("Every exercise of {} is run for the report…", lab.title), now());
}

void App::apply(const command::HandIn&) {
  leave_nothing_unsaved();
  const std::filesystem::path folder = user_dir() / "hand-in" / utc_now("%Y%m%d-%H%M%S");
  std::vector<const lab::Lab*> labs;
  for (const lab::Lab& lab : labs_->labs) labs.push_back(&lab);
  const Result<std::vector<lab::HandedIn>> written = lab::hand_in(labs, folder);
  if (!written.ok()) {
    toasts_.say(written.errors(), now());
    return;
  }
  size_t passed = 0;
  for (const lab::HandedIn& work : *written)
    passed += work.version == lab::StandingText::Version::kPassed ? 1 : 0;
  if (written->empty()) {
    toasts_.say(tr("You have not begun an exercise yet: there is nothing to hand in."), now());
  } else {
    say_saved(
        tr("{} kernels, {} of them passed, are in {}", written->size(), passed, folder.string()),
        folder);
  }
}

void App::leave_nothing_unsaved() {
  if (session_->dirty()) say(session_->save());
  say(session_->save_progress());
}

void App::take_report() {
  const std::optional<Result<std::filesystem::path>> written = report_worker_->take();
  if (!written) return;
  frames_due_ = 3;
  if (!written->ok()) {
    toasts_.say(written->errors(), now());
    return;
  }
  const std::string file = (*written)->string();
  say_saved(tr("Saved: {}", file), file);
  if (const auto open = ImGui::GetPlatformIO().Platform_OpenInShellFn)
    open(ImGui::GetCurrentContext(), file.c_str());
}

}  // namespace warpshop::ui
