#include "control/exports.h"

#include <cctype>
#include <utility>
#include <vector>

#include "core/downloads.h"
#include "core/files.h"
#include "core/utc.h"
#include "lab/hand_in.h"
#include "lab/transfer.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr char kReportTopic[] = "report";  // the notice that goes when the page is there

std::vector<const lab::Lab*> all_labs(const lab::LabLibrary& library) {
  std::vector<const lab::Lab*> out;
  for (const lab::Lab& lab : library.labs) out.push_back(&lab);
  return out;
}

}  // namespace

Exports::Exports(Shell& shell, OpenWork& work)
    : shell_(shell), work_(work), report_worker_([] { GlWindow::wake(); }) {
  CommandTable& commands = shell.commands;
  commands.on([this](const command::CopyText& c) {
    ImGui::SetClipboardText(c.text.c_str());
    shell_.say(tr("{} was copied.", c.what));
  });
  commands.on([this](const command::OpenPath& c) { open_path(c.path); });
  commands.on([this](const command::OpenAddress& c) {
    const auto open = ImGui::GetPlatformIO().Platform_OpenInShellFn;
    if (!open || !open(ImGui::GetCurrentContext(), c.address.c_str()))
      shell_.apply(command::CopyText{c.address, tr("The address")});
  });
  commands.on([this](const command::OpenWorkFolder&) { open_path(user_dir().string()); });
  commands.on([this](const command::WriteReport&) {
    const lab::Lab* lab = work_.session->lab();
    if (!lab) return;
    if (work_.session->dirty()) shell_.say(work_.session->save());
    if (write(*lab, ReportJob::Of::kReport, lab->id))
      shell_.say(tr("Every exercise of {} is run for the report…", lab->title), kReportTopic);
  });
  commands.on([this](const command::WriteHandout& c) {
    const lab::Lab* lab = shell_.lecture.on() ? shell_.lecture.lab : work_.session->lab();
    if (!lab || !lab->demo) {
      shell_.say(lab ? tr("This lab has no script for a lecture.")
                     : tr("Open the lab of the lecture first."));
      return;
    }
    const auto of = c.notes ? ReportJob::Of::kLectureWithNotes : ReportJob::Of::kLecture;
    if (write(*lab, of, lab->id + (c.notes ? "-notes" : "-lecture")))
      shell_.say(tr("Every scene of {} is run for the page…", lab->title), kReportTopic);
  });
  commands.on([this](const command::AskHandIn&) {
    if (work_.session->dirty()) shell_.say(work_.session->save());
    shell_.say(work_.session->save_progress());
    Result<std::vector<lab::HandedIn>> kernels = lab::work_to_hand_in(all_labs(*work_.labs));
    if (!kernels.ok()) {
      shell_.say(kernels.errors());
    } else if (kernels->empty()) {
      shell_.say(tr("You have not started an exercise yet: there is nothing to hand in."));
    } else {
      shell_.dialog.unsaved.clear();
      shell_.dialog.to_hand_in = std::move(*kernels);
      shell_.dialog.elsewhere =
          downloads_dir() / ("warpshop-hand-in-" + utc_now("%Y%m%d-%H%M%S") + ".zip");
      shell_.dialog.open = Dialog::kHandIn;
    }
  });
  commands.on([this](const command::HandIn& c) {
    std::filesystem::path file = path_as_typed(c.file);
    // Without this ending, a folder would be written.
    if (file.extension() != ".zip") file += ".zip";
    std::error_code ignored;
    if (std::filesystem::exists(file, ignored)) {
      propose_free_name(file, shell_.dialog);
      return;
    }
    const Result<std::vector<lab::HandedIn>> written = lab::hand_in(all_labs(*work_.labs), file);
    if (!written.ok()) {
      shell_.dialog.unsaved = written.errors();
      return;
    }
    shell_.dialog.open = Dialog::kNone;
    shell_.say_saved(
        tr_count(written->size(), "{} kernel ({1} passed) is in {2}",
                 "{} kernels ({1} passed) are in {2}", lab::passed_among(*written), file.string()),
        file);
  });
  commands.on([this](const command::SavePicture&) {
    save_picture(shell_.window->read_picture(), "warpshop");
  });
  commands.on([this](const command::SavePanelPicture& c) {
    panel_picture_ = c;
    panel_picture_frames_ = 3;
    shell_.draw_frames(5);
  });
  commands.on([this](const command::ExportPanel& c) {
    shell_.queue.ask_export(c.picture ? ExportAsked::kPicture : ExportAsked::kCsv);
    export_frames_ = 2;
  });
}

bool Exports::write(const lab::Lab& lab, ReportJob::Of of, const std::string& name) {
  // Use the student's own GPU for all steps: not every
  // kernel of the lab runs on the open step's GPU.
  const models::GpuProfile* own = shell_.profile_of(shell_.settings.gpu);
  if (report_worker_.busy() || !own) return false;
  ReportJob job;
  job.of = of;
  job.labs = work_.labs;
  job.lab = &lab;
  job.gpu = *own;
  job.file = user_dir() / "reports" / (name + "-" + utc_now("%Y%m%d-%H%M%S") + ".html");
  report_worker_.write(std::move(job));
  return true;
}

void Exports::open_path(const std::string& chosen) {
  const std::string path = !chosen.empty()         ? chosen
                           : !shell_.saved.empty() ? shell_.saved
                                                   : user_dir().string();
  const auto open = ImGui::GetPlatformIO().Platform_OpenInShellFn;
  if (open && open(ImGui::GetCurrentContext(), path.c_str())) return;
  ImGui::SetClipboardText(path.c_str());
  shell_.say(tr("Nothing here can open it. Its path is on the clipboard: {}", path));
}

void Exports::take_report() {
  const std::optional<Result<std::filesystem::path>> written = report_worker_.take();
  if (!written) return;
  shell_.toasts.drop(kReportTopic);
  shell_.draw_frames(3);
  if (!written->ok()) {
    shell_.say(written->errors());
    return;
  }
  const std::string file = (*written)->string();
  if (shell_.say_saved(tr("Saved: {}", file), file)) return;
  if (const auto open = ImGui::GetPlatformIO().Platform_OpenInShellFn)
    open(ImGui::GetCurrentContext(), file.c_str());
}

void Exports::save_picture(const Picture& picture, const std::string& name) {
  const std::filesystem::path file =
      user_dir() / "pictures" / (name + "-" + utc_now("%Y%m%d-%H%M%S") + ".png");
  Status written = write_png(picture, file);
  if (written.ok()) {
    shell_.say_saved(tr("Saved: {}", file.string()), file);
  } else {
    shell_.say(written);
  }
}

void Exports::save_panel_picture() {
  if (!panel_picture_ || --panel_picture_frames_ > 0) return;
  const command::SavePanelPicture wanted = *std::exchange(panel_picture_, std::nullopt);
  std::string name;
  for (char c : wanted.title)
    name += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '-';
  save_picture(
      crop(shell_.window->read_picture(), static_cast<int>(wanted.x), static_cast<int>(wanted.y),
           static_cast<int>(wanted.width), static_cast<int>(wanted.height)),
      name);
}

void Exports::note_frame() {
  save_panel_picture();
  if (export_frames_ > 0 && --export_frames_ == 0 &&
      shell_.queue.take_export_asked() != ExportAsked::kNothing) {
    shell_.say(tr("Choose a panel first: this one has nothing to export."));
  }
}

}  // namespace warpshop::ui
