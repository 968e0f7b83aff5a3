// Decides which commands are allowed when, and applies those that concern the window: mode, theme,
// zoom, layout, dialogs, pictures. The others are in lab_app_work.cc, lab_app_runs.cc and so on.
#include <algorithm>
#include <cctype>
#include <utility>

#include "app/actions.h"
#include "app/lab_app.h"
#include "core/files.h"
#include "core/utc.h"
#include "lab/findings.h"
#include "panels/export_menu.h"
#include "panels/panel_table.h"
#include "text/text.h"

namespace warpshop::ui {

template <typename... C>
void App::handle() {
  (commands_.on([this](const C& c) { apply(c); }), ...);
}

template <typename... C>
void App::handle_work() {
  (commands_.on_work([this](const C& c) { apply(c); }), ...);
}

void App::register_commands() {
  handle<command::CloseHome, command::EditText, command::EditorGesture, command::SetWrap,
         command::Save, command::RetryUnsaved, command::SaveElsewhere, command::LeaveUnsaved,
         command::Run, command::Stop, command::SelectGpu, command::SelectSecondGpu,
         command::StepSecondGpu, command::SelectBlock, command::StepBlock, command::OpenDevices,
         command::SelectDevice, command::ConnectDevice, command::AddWorker, command::RemoveWorker,
         command::SelectAccess, command::SelectGlobalAccess, command::StepAccess, command::StepWarp,
         command::StepMoment, command::SelectEditorLine, command::GoToAccess, command::StepGpu,
         command::SelectLine, command::GoTo, command::MoveFilm, command::SeekFilm,
         command::PlayFilm, command::FilmToLine, command::FilmOfFinding, command::FilmOfElement,
         command::MoveTimeline, command::SetMode, command::GiveLecture, command::Advance,
         command::MoveScene, command::GoToScene, command::OpenScenes, command::ToggleLaser,
         command::ToggleBlank, command::TogglePen, command::NextPenColor, command::ChoosePenColor,
         command::WipePen, command::KeepPen, command::Magnify, command::ToggleClock,
         command::RestoreKernel, command::LeaveLecture, command::ToggleFullScreen,
         command::SetTheme, command::Zoom, command::StepZoom, command::SetLanguage,
         command::SetMotion, command::SetDigits, command::SetLineMeasure, command::SetAutoRun,
         command::LockLayout, command::ResetLayout, command::FocusPanel, command::ShowStage,
         command::OpenPalette, command::OpenGlossary, command::OpenKeys, command::SetKey,
         command::ResetKeys, command::OpenDoctor, command::OpenProgress, command::ExportProgress,
         command::OpenWorkFolder, command::OpenPath, command::ReloadLabs, command::ShowTour,
         command::SkipTour, command::LeaveTour, command::CloseDialog, command::CopyText,
         command::HandIn, command::OpenMenu, command::WriteReport, command::SavePicture,
         command::SavePanelPicture, command::ExportPanel, command::ExplainFigures,
         command::ShowFrameTime, command::Quit>();
  handle_work<command::OpenStep, command::OpenHome, command::MoveStep, command::AnswerQuestion,
              command::ShowHint, command::AskReset, command::Reset, command::AskSolution,
              command::ShowSolution, command::TakeSolution, command::ResolveConflict,
              command::TakeVersion, command::RestorePassed, command::OpenChanges,
              command::PinBaseline, command::PinLatest, command::ImportProgress,
              command::OpenOwnKernel, command::MakeKernelLab, command::OpenKernelLab>();
}

void App::apply_commands() {
  for (const Command& command : queue_.take()) {
    frames_due_ = std::max(frames_due_, 3);
    if (lecture_.on() && commands_.is_work(command)) {
      toasts_.say(tr("End the lecture first, with Esc."), now());
    } else {
      commands_.apply(command);
    }
  }
}

const std::string& App::gpu_id() const {
  if (lecture_.on() && !lecture_.current().gpu.empty()) return lecture_.current().gpu;
  return step_gpu_.empty() ? settings_.gpu : step_gpu_;
}

const models::GpuProfile* App::gpu() const { return profile_of(gpu_id()); }

const models::GpuProfile* App::profile_of(std::string_view id) const {
  for (const models::GpuProfile& gpu : gpus_) {
    if (gpu.id == id) return &gpu;
  }
  return nullptr;
}

void App::show_panel(std::string panel) {
  if (lecture_.on()) {
    // Only panels that other commands, such as the film's, request. The arrow keys step through
    // accesses even without a map.
    if (panel == "warp" || panel == "compare" || panel == "findings")
      lecture_.brought = std::move(panel);
    return;
  }
  if (panel != "steps" && panel != "editor") panels_wanted_in_ = session_->place();
  std::erase(tabs_to_show_, panel);
  tabs_to_show_.push_back(std::move(panel));
}

void App::apply(const command::SetMode& c) {
  if (lecture_.on()) end_lecture();
  if (settings_.mode == c.mode) return;
  leave_home();
  save_layout();
  settings_.mode = c.mode;
  tab_order_.clear();
  in_front_.clear();  // a panel has other neighbours there
  layout_.reset();
}

void App::apply(const command::SetTheme& c) { settings_.theme = c.choice; }

void App::apply(const command::Zoom& c) {
  set_zoom(c.factor <= 0 ? 1 : clamp_zoom(zoom() * c.factor));
}

void App::apply(const command::StepZoom& c) { set_zoom(next_zoom(zoom(), c.direction)); }

float& App::zoom() { return lecture_.on() ? settings_.lecture_zoom : settings_.zoom; }

void App::set_zoom(float zoom) {
  if (lecture_.on()) zoom = std::min(zoom, kMaxLectureZoom);
  this->zoom() = zoom;
  toasts_.say(tr("Zoom {}%", static_cast<int>(zoom * 100 + 0.5f)), now(), "zoom");
}

void App::apply(const command::SetMotion& c) { settings_.motion = c.on; }

void App::apply(const command::SetDigits& c) { settings_.digits = c.on; }
void App::apply(const command::SetLineMeasure& c) { settings_.line_measure = id_of(c.measure); }

void App::apply(const command::SetWrap& c) { settings_.wrap = c.on; }
void App::apply(const command::SetAutoRun& c) { settings_.auto_run = c.on; }

void App::apply(const command::LockLayout& c) {
  settings_.layout_locked = c.locked;
  toasts_.say(c.locked ? tr("The layout is locked.")
                       : tr("Panels can be moved: drag the corner or the tab."),
              now());
}

void App::apply(const command::ResetLayout&) {
  settings_.layout_changed = false;
  tab_order_.clear();
  in_front_.clear();
  layout_.reset();
}

void App::apply(const command::FocusPanel& c) {
  const PanelRow* panel = find_panel(c.panel);
  if (!panel) return;
  if (lecture_.on() && c.panel != "editor" && c.panel != "scene") {
    if (panel->lecture == LectureDock::kNone) {
      toasts_.say(tr("End the lecture first, with Esc."), now());
    } else {
      bring_panel(c.panel);
    }
    return;
  }
  leave_home();
  if (panel->of_shared_memory && !(prepared_ && prepared_->accesses.any_shared)) {
    toasts_.say(prepared_ ? tr("This kernel uses no shared memory.")
                          : tr("Run a kernel that uses shared memory first."),
                now(), "no-panel");
    return;
  }
  focus_panel_ = c.panel;
  show_panel(c.panel);
}

void App::apply(const command::ShowStage& c) {
  const auto stage = static_cast<lab::Stage>(c.stage);
  const lab::RunResult* result = latest_ ? &latest_->result : nullptr;
  switch (stage) {
    case lab::Stage::kCompile:
    case lab::Stage::kCheck:
      show_panel("findings");
      break;
    case lab::Stage::kEmulate:
      show_panel(result && lab::count_findings(*result).all() > 0 ? "findings" : "transactions");
      break;
    case lab::Stage::kCompare:
      show_panel("result");
      break;
    case lab::Stage::kMeasure:
      show_panel("times");
      break;
  }
  if (!result || stage != lab::Stage::kCompile) return;
  for (const Diagnostic& d : result->diagnostics) {
    if (d.place.line > 0 && d.severity == Severity::kError) {
      editor_.go_to = d.place;
      return;
    }
  }
}

void App::apply(const command::OpenMenu&) {
  menu_asked_ = !lecture_.on();
  frames_due_ = std::max(frames_due_, 3);
}
void App::apply(const command::OpenPalette&) { dialog_.open = Dialog::kPalette; }
void App::apply(const command::OpenGlossary& c) {
  dialog_.glossary_word = c.word;
  dialog_.open = Dialog::kGlossary;
}
void App::apply(const command::OpenKeys&) { dialog_.open = Dialog::kKeys; }

void App::apply(const command::SetKey& c) {
  settings_.keys[c.action] = c.chord;
  // One key, one action: take the key away from the action that had it.
  if (!c.chord.empty()) {
    std::erase_if(settings_.keys, [&](const auto& chosen) {
      return chosen.second == c.chord && chosen.first != c.action;
    });
  }
  use_keys(settings_.keys);
}

void App::apply(const command::ResetKeys&) {
  settings_.keys.clear();
  use_keys(settings_.keys);
}

// Checks again each time: what was missing may be installed now.
void App::apply(const command::OpenDoctor&) {
  dialog_.open = Dialog::kDoctor;
  if (health_due_.valid()) return;
  health_.reset();
  health_due_ = std::async(std::launch::async, [] {
    std::vector<lab::HealthLine> health = lab::check_health();
    GlWindow::wake();
    return health;
  });
}
void App::apply(const command::CloseDialog&) { dialog_.open = Dialog::kNone; }

void App::apply(const command::CopyText& c) {
  ImGui::SetClipboardText(c.text.c_str());
  toasts_.say(tr("{} was copied.", c.what), now());
}

void App::apply(const command::SavePicture&) { save_picture(window_->read_picture(), "warpshop"); }

void App::apply(const command::SavePanelPicture& c) {
  panel_picture_ = c;
  panel_picture_frames_ = 3;
  frames_due_ = std::max(frames_due_, 5);
}

void App::save_panel_picture() {
  if (!panel_picture_ || --panel_picture_frames_ > 0) return;
  const command::SavePanelPicture wanted = *std::exchange(panel_picture_, std::nullopt);
  std::string name;
  for (char c : wanted.title)
    name += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '-';
  save_picture(crop(window_->read_picture(), static_cast<int>(wanted.x), static_cast<int>(wanted.y),
                    static_cast<int>(wanted.width), static_cast<int>(wanted.height)),
               name);
}

void App::apply(const command::ExportPanel& c) {
  export_asked() = c.picture ? ExportAsked::kPicture : ExportAsked::kCsv;
  export_frames_ = 2;
}

void App::save_picture(const Picture& picture, const std::string& name) {
  const std::filesystem::path file =
      user_dir() / "pictures" / (name + "-" + utc_now("%Y%m%d-%H%M%S") + ".png");
  Status written = write_png(picture, file);
  if (written.ok()) {
    say_saved(tr("Saved: {}", file.string()), file);
  } else {
    say(written);
  }
}

void App::apply(const command::ShowFrameTime&) { show_times_ = !show_times_; }
void App::apply(const command::ToggleFullScreen&) {
  window_->set_full_screen(!window_->full_screen());
  frames_due_ = std::max(frames_due_, 6);
}

void App::apply(const command::Quit&) { window_->close(); }

}  // namespace warpshop::ui
