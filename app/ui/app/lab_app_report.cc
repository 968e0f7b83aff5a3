// The lab's report, from the window: the same page as the terminal's `warpshop report LAB`.
#include "app/lab_app.h"
#include "core/files.h"
#include "core/utc.h"
#include "text/text.h"

namespace warpshop::ui {

void App::apply(const command::WriteReport&) {
  if (report_worker_->busy() || !session_->lab() || !gpu()) return;
  if (session_->dirty()) say(session_->save());
  const lab::Lab& lab = *session_->lab();
  ReportJob job;
  job.labs = labs_;
  job.lab = &lab;
  job.gpu = *gpu();
  job.file = user_dir() / "reports" / (lab.id + "-" + utc_now("%Y%m%d-%H%M%S") + ".html");
  report_worker_->write(std::move(job));
  toasts_.say(tr("Every exercise of {} is run for the report…", lab.title), now());
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
  toasts_.say(tr("Saved: {}", file), now());
  if (const auto open = ImGui::GetPlatformIO().Platform_OpenInShellFn) open(ImGui::GetCurrentContext(), file.c_str());
}

}  // namespace warpshop::ui
