// What each command does.
#include <algorithm>
#include <cctype>
#include <chrono>
#include <ctime>
#include <type_traits>
#include <utility>

#include "app/actions.h"
#include "app/lab_app.h"
#include "core/files.h"
#include "lab/translation.h"
#include "panels/export_menu.h"
#include "panels/findings_panel.h"
#include "panels/questions.h"

namespace warpshop::ui {
namespace {

constexpr double kTypingPauseSeconds = 0.15;
constexpr double kAutosaveSeconds = 0.8;

std::string utc_now(const char* format) {
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  char text[40];
  std::strftime(text, sizeof text, format, &utc);
  return text;
}

// What belongs to the student's work and not into a lecture.
template <typename C, typename... Those>
inline constexpr bool is_one_of = (std::is_same_v<C, Those> || ...);
template <typename C>
inline constexpr bool is_students =
    is_one_of<C, command::OpenStep, command::MoveStep, command::AnswerQuestion, command::ShowHint,
              command::AskReset, command::Reset, command::AskSolution, command::ShowSolution,
              command::TakeSolution, command::ResolveConflict, command::TakeVersion, command::OpenChanges,
              command::PinBaseline, command::PinLatest>;

}  // namespace

void App::apply_commands() {
  for (const Command& command : queue_.take()) {
    frames_due_ = std::max(frames_due_, 3);
    std::visit(
        [this](const auto& c) {
          if (lecture_.on() && is_students<std::decay_t<decltype(c)>>) {
            toasts_.say(tr("End the lecture first, with Esc."), now());
          } else {
            apply(c);
          }
        },
        command);
  }
}

const std::string& App::gpu_id() const {
  return lecture_.on() && !lecture_.current().gpu.empty() ? lecture_.current().gpu : settings_.gpu;
}

const models::GpuProfile* App::gpu() const {
  for (const models::GpuProfile& gpu : gpus_) {
    if (gpu.id == gpu_id()) return &gpu;
  }
  return nullptr;
}

void App::forget_results() {
  worker_->stop();
  devices_->drop();
  measured_run_ = 0;
  job_done_ = true;
  job_ = 0;
  latest_.reset();
  prepared_.reset();
  close_film();
  stages_ = {};
  selected_.reset();
  solution_.reset();
  solution_job_ = 0;
  solution_runs_ = false;
  run_due_s_ = autosave_due_s_ = edited_at_s_ = 0;
}

void App::show_panel(std::string panel) {
  std::erase(tabs_to_show_, panel);
  tabs_to_show_.push_back(std::move(panel));
}

void App::leave_step() {
  if (!session_ || !session_->step()) return;
  if (session_->dirty()) say(session_->save());
  say(session_->autosave());
  say(session_->save_progress());
}

void App::open_step(const std::string& lab, const std::string& step) {
  leave_step();
  forget_results();
  block_ = 0;
  say(session_->open(lab, step));
  if (!session_->step()) return;
  if (session_->recovered()) {
    toasts_.say(tr("Your unsaved edits were put back."), now());
  }
  if (session_->step()->exercise) {
    if (options_.solution) session_->edit(session_->step()->exercise->solution);
    if (options_.skeleton) session_->edit(session_->step()->exercise->skeleton);
    watch_->watch(session_->file().parent_path());
  }
  ++text_revision_;
  history_.close();
  if (session_->step()->exercise && !options_.read_only) {
    history_.open(user_dir() / "runs" / lab / step);
    say(history_.problem());
  }
  const std::string place = lab + "/" + step;
  std::erase(settings_.recent, place);
  settings_.recent.insert(settings_.recent.begin(), place);
  settings_.recent.resize(std::min(settings_.recent.size(), kMostRecent));
  // First the text is read; who analyses has read it.
  focus_panel_ = settings_.mode == Mode::kAnalysis ? "editor" : "steps";
  settings_.lab = lab;
  settings_.step = step;
  window_->set_title(session_->step()->title + " – " + session_->lab()->title + " – Warpshop");
  // A student who has still to say what they expect should not see the answer first.
  const bool ask_first = !all_answered(*session_) && !options_.read_only;
  if (session_->step()->exercise && !ask_first) submit_run();
}

void App::apply(const command::OpenStep& c) {
  std::string step = c.step;
  for (const lab::Lab& lab : labs_->labs) {
    if (lab.id == c.lab && step.empty() && !lab.steps.empty()) step = lab.steps.front().id;
  }
  open_step(c.lab, step);
}

void App::apply(const command::MoveStep& c) {
  if (auto [lab, step] = session_->neighbour(c.by); step) {
    open_step(lab->id, step->id);
  } else {
    toasts_.say(c.by > 0 ? tr("This is the last step.") : tr("This is the first step."), now());
  }
}

void App::apply(const command::AnswerQuestion& c) {
  lab::StepProgress& progress = session_->progress();
  progress.answers[c.question] = c.choice;
  if (!session_->step()->exercise && all_answered(*session_) && !progress.passed) {
    progress.passed = true;
    progress.passed_at = utc_now("%Y-%m-%dT%H:%M:%SZ");
  }
  say(session_->save_progress());
}

void App::apply(const command::ShowHint&) {
  if (!session_->step() || !session_->step()->exercise) return;
  lab::StepProgress& progress = session_->progress();
  const int hints = static_cast<int>(session_->step()->exercise->hints.size());
  if (progress.hints_shown >= hints) {
    toasts_.say(hints == 0 ? tr("This step has no hints.") : tr("There are no more hints."), now());
    return;
  }
  ++progress.hints_shown;
  ++facts_.hints;
  show_panel("steps");
  say(session_->save_progress());
}

void App::apply(const command::EditText& c) {
  for (const std::string& text : c.before) session_->edit(text);
  session_->edit(c.text);
  const double t = now();
  edited_at_s_ = t;
  ++facts_.edits;
  // From the first letter on, not from the last: who types without a pause loses no more than others.
  if (autosave_due_s_ == 0) autosave_due_s_ = t + kAutosaveSeconds;
  if (settings_.auto_run) run_due_s_ = t + kTypingPauseSeconds;
}

void App::apply(const command::Save&) {
  if (!session_->step() || !session_->step()->exercise) return;
  Status saved = session_->save();
  if (saved.ok()) {
    watch_->watch(session_->file().parent_path());
    autosave_due_s_ = 0;
  } else {
    say(saved);
  }
  const bool current = latest_ && latest_->result.source == session_->text() && !latest_->preview;
  const bool on_its_way = !job_done_ && run_due_s_ == 0;
  if (!current && !on_its_way) submit_run();
}

void App::apply(const command::AskReset&) {
  if (session_->step() && session_->step()->exercise) dialog_.open = Dialog::kReset;
}

void App::apply(const command::Reset&) {
  dialog_.open = Dialog::kNone;
  Result<std::filesystem::path> kept = session_->reset();
  if (!kept.ok()) {
    toasts_.say(kept.errors(), now());
    return;
  }
  text_replaced();
  toasts_.say(kept->empty() ? std::string(tr("Started afresh.")) : tr("Started afresh. Your text is kept: {}", kept->string()),
              now());
}

void App::apply(const command::AskSolution&) {
  if (!session_->step() || !session_->step()->exercise) return;
  ++facts_.solution_questions;
  const lab::StepProgress* progress = session_->progress_of(*session_->step());
  if (progress && (progress->solution_shown || progress->passed)) {
    show_solution();
  } else {
    dialog_.open = Dialog::kAskSolution;
  }
}

// It is run, too, so that its counters can be compared with the student's.
void App::show_solution() {
  dialog_.open = Dialog::kSolution;
  const models::GpuProfile* profile = gpu();
  if (!profile || (solution_ && solution_->result.gpu.id == profile->id)) return;
  RunJob job;
  job.labs = labs_;
  job.lab = session_->lab();
  job.step = session_->step();
  job.source = session_->step()->exercise->solution;
  job.file_name = session_->file_name();
  job.gpu = *profile;
  solution_job_ = worker_->submit(std::move(job));
  solution_runs_ = true;
}

void App::apply(const command::ShowSolution&) {
  session_->progress().solution_shown = true;
  say(session_->save_progress());
  show_solution();
}

void App::apply(const command::TakeSolution&) {
  dialog_.open = Dialog::kNone;
  Status taken = session_->take_solution();
  if (!taken.ok()) {
    say(taken);
    return;
  }
  text_replaced();
  toasts_.say(tr("The solution is in the editor. Your own text is in the history; Ctrl+Z brings it back."), now());
}

// "baseline": that, else the version before the last.
void App::apply(const command::OpenChanges& c) {
  if (history_.runs().empty()) {
    toasts_.say(tr("No version was run yet: there is nothing to compare with."), now());
    return;
  }
  std::string left = c.left;
  if (left == "baseline") {
    const std::vector<RunRecord>& runs = history_.runs();
    left = history_.baseline() ? history_.baseline()->id : runs[runs.size() > 1 ? runs.size() - 2 : 0].id;
  }
  dialog_.left = left;
  dialog_.right = c.right;
  dialog_.open = Dialog::kChanges;
}

void App::apply(const command::TakeVersion& c) {
  dialog_.open = Dialog::kNone;
  const RunRecord* run = history_.find(c.run);
  if (!run) return;
  Result<std::string> text = history_.text_of(*run);
  if (!text.ok()) {
    toasts_.say(text.errors(), now());
    return;
  }
  session_->edit(std::move(text).value());
  say(session_->autosave());
  text_replaced();
  toasts_.say(tr("Version {} is in the editor; Ctrl+Z brings your text back.", c.run), now());
}

void App::apply(const command::PinBaseline& c) {
  say(history_.pin(c.run));
  toasts_.say(c.run.empty() ? std::string(tr("No baseline is pinned.")) : tr("Version {} is the baseline.", c.run), now());
}

void App::apply(const command::PinLatest&) {
  if (history_.runs().empty()) {
    toasts_.say(tr("No version was run yet: there is nothing to compare with."), now());
  } else {
    apply(command::PinBaseline{history_.runs().back().id});
  }
}

void App::apply(const command::ResolveConflict& c) {
  dialog_.open = Dialog::kNone;
  if (c.keep_mine) {
    say(session_->keep_mine());
  } else {
    say(session_->take_theirs());
    text_replaced();
  }
}

// The text has changed other than by typing: the editor shows it and it is run.
void App::text_replaced() {
  ++text_revision_;
  edited_at_s_ = now();
  if (settings_.auto_run) submit_run();
}

void App::apply(const command::Run&) {
  if (!session_->step() || !session_->step()->exercise) return;
  say(session_->save());
  watch_->watch(session_->file().parent_path());
  autosave_due_s_ = 0;
  submit_run();
  run_asked_ = true;
}

// Nobody waits for what cannot be interrupted, as a compilation: the window is free at once. What the run has found
// so far comes when its thread has ended.
void App::apply(const command::Stop&) {
  worker_->stop();
  devices_->stop();
  run_due_s_ = 0;
  solution_runs_ = false;
  if (job_done_) return;
  job_done_ = job_stopped_ = true;
  for (lab::StageReport& stage : stages_) {
    if (stage.state == lab::StageState::kRunning) stage = {lab::StageState::kStopped, 0, "stopped"};
  }
}

void App::submit_run() {
  run_due_s_ = 0;
  const models::GpuProfile* profile = gpu();
  if (!session_->step() || !session_->step()->exercise || !profile) return;
  RunJob job;
  job.labs = labs_;
  job.lab = session_->lab();
  job.step = session_->step();
  job.source = session_->text();
  job.file_name = session_->file_name();
  job.gpu = *profile;
  job.preview_first = true;
  job.predict = true;
  job.record_blocks = {block_};
  devices_->drop();
  run_asked_ = false;
  job_ = worker_->submit(std::move(job));
  job_done_ = job_stopped_ = solution_runs_ = false;
  job_since_s_ = now();
  stages_ = {};
  stages_.front().state = lab::StageState::kRunning;
}

void App::take_result(const RunUpdate& update) {
  const lab::RunResult& result = update.result->result;
  if (result.stopped && result.sizes.empty()) return;  // the older result stays, greyed
  latest_ = update.result;
  bool first_maps = false;
  // The text has a smaller grid now.
  if (const lab::KernelRun* run = result.student(); run && run->grid.count() > 0 && block_ >= run->grid.count()) {
    block_ = 0;
    submit_run();
    return;
  }
  if (!result.sizes.empty()) {
    const std::optional<size_t> before = selected_;
    first_maps = !prepared_;
    selected_ = prepared_ ? carry_selection(prepared_->accesses, selected_, update.result->accesses)
                          : update.result->accesses.worst();
    prepared_ = update.result;
    close_film();
    if (selected_ != before) selected_at_s_ = now();
  }
  if (lecture_.on()) {
    take_scene_result();
    return;
  }
  measure_result();
  const bool wide = layout_ == LayoutClass::kWide;
  if (error_count(result) > 0) {
    show_panel("findings");
  } else if (!result.sizes.empty() && wide) {
    // Findings that are gone give their place back.
    show_panel(devices_->measures() && result.sizes.front().correct ? "times" : "result");
  }
  if ((wide || first_maps) && selected_ && !result.sizes.empty()) {
    show_panel(prepared_->accesses.entries[*selected_].shared ? "banks" : "transactions");
  }
  if (update.result->preview) return;
  if (std::exchange(run_asked_, false)) ++facts_.runs;
  history_.add(result, utc_now("%Y-%m-%dT%H:%M:%SZ"));
  say(history_.problem());
  lab::StepProgress& progress = session_->progress();
  ++progress.runs;
  if (result.passed && !progress.passed) {
    progress.passed = true;
    progress.passed_at = utc_now("%Y-%m-%dT%H:%M:%SZ");
  }
  say(session_->save_progress());
}

void App::apply(const command::SelectGpu& c) {
  settings_.gpu = c.id;
  submit_run();
}

void App::apply(const command::SelectSecondGpu& c) { settings_.second_gpu = c.id; }

void App::apply(const command::StepSecondGpu& c) {
  show_panel("compare");
  const auto count = static_cast<int>(gpus_.size());
  int at = 0;
  while (at < count && gpus_[static_cast<size_t>(at)].id != settings_.second_gpu) ++at;
  // Comparing a GPU with itself shows nothing.
  for (int tries = 0; tries < count; ++tries) {
    at = (at + c.by + count) % count;
    if (gpus_[static_cast<size_t>(at)].id != gpu_id()) break;
  }
  if (count > 0) settings_.second_gpu = gpus_[static_cast<size_t>(at)].id;
}

void App::apply(const command::SelectBlock& c) {
  if (block_ == c.block) return;
  block_ = c.block;
  film_leads_ = false;
  submit_run();
}

void App::apply(const command::StepBlock& c) {
  const lab::KernelRun* run = prepared_ ? prepared_->result.student() : nullptr;
  if (!run) return;
  const auto last = static_cast<int64_t>(run->grid.count()) - 1;
  const int64_t wanted = static_cast<int64_t>(block_) + c.by;
  if (wanted < 0 || wanted > last) {
    toasts_.say(c.by > 0 ? tr("This is the last block of the grid.") : tr("This is the first block of the grid."), now());
    return;
  }
  apply(command::SelectBlock{static_cast<uint64_t>(wanted)});
}

void App::select(size_t entry, bool show) {
  if (selected_ == entry) return;
  selected_ = entry;
  selected_at_s_ = now();
  ++facts_.looks;
  const AccessEntry& access = prepared_->accesses.entries[entry];
  if (show) show_panel(access.shared ? "banks" : "transactions");
  // The editor follows where the line is out of sight.
  if (access.line > 0 && editor_.editor && !editor_.focused) {
    TextEditor& editor = *editor_.editor;
    const auto line = static_cast<size_t>(access.line - 1);
    if (line < editor.GetLineCount() && !editor.IsDocPosVisible({line, 0})) {
      editor.ScrollToLine(line, TextEditor::Scroll::alignMiddle);
    }
  }
}

void App::apply(const command::SelectAccess& c) {
  film_leads_ = false;
  if (prepared_ && c.entry < prepared_->accesses.entries.size()) select(c.entry, true);
}

void App::apply(const command::StepAccess& c) {
  film_leads_ = false;
  if (prepared_ && selected_) select(prepared_->accesses.in_same_warp(*selected_, c.by), true);
}

void App::apply(const command::StepWarp& c) {
  film_leads_ = false;
  if (prepared_ && selected_) select(prepared_->accesses.in_other_warp(*selected_, c.by), true);
}

void App::apply(const command::SelectLine& c) {
  if (!prepared_ || view_.stale) return;
  film_leads_ = false;
  if (auto entry = prepared_->accesses.of_line(c.line, selected_)) select(*entry, true);
}

void App::apply(const command::GoTo& c) {
  editor_.go_to = c.place;
  show_panel("editor");
}

void App::apply(const command::SetMode& c) {
  if (lecture_.on()) apply(command::LeaveLecture{});
  if (settings_.mode == c.mode) return;
  save_layout();
  settings_.mode = c.mode;
  layout_.reset();
}

void App::apply(const command::SetTheme& c) { settings_.theme = c.choice; }

void App::apply(const command::Zoom& c) {
  settings_.zoom = c.factor <= 0 ? 1 : clamp_zoom(settings_.zoom * c.factor);
  toasts_.say(tr("Zoom {}%", static_cast<int>(settings_.zoom * 100 + 0.5f)), now());
}

void App::apply(const command::SetLanguage& c) {
  if (lecture_.on()) {
    toasts_.say(tr("A lecture has one language: end it first."), now());
    return;
  }
  Result<Catalogue> catalogue = load_language(data_dir(), c.id);
  if (!catalogue.ok()) {
    toasts_.say(catalogue.errors(), now());
    return;
  }
  use_language(std::move(catalogue).value());
  settings_.language = c.id;
  // The labs speak it, too, as far as they can: the step is opened again.
  leave_step();
  const lab::Lab* lab = session_->lab();
  const lab::Step* step = session_->step();
  const std::string lab_id = lab ? lab->id : "", step_id = step ? step->id : "";
  const std::shared_ptr<const lab::LabLibrary> older = std::exchange(
      labs_, std::make_shared<const lab::LabLibrary>(lab::load_labs_in(data_dir(), c.id)));
  toasts_.say(labs_->problems, now());
  session_ = std::make_unique<Session>(*labs_, options_.read_only);
  if (step) open_step(lab_id, step_id);
}

void App::apply(const command::SetMotion& c) { settings_.motion = c.on; }

void App::apply(const command::SetDigits& c) { settings_.digits = c.on; }

void App::apply(const command::SetAutoRun& c) { settings_.auto_run = c.on; }

void App::apply(const command::LockLayout& c) {
  settings_.layout_locked = c.locked;
  toasts_.say(c.locked ? tr("The layout is locked.") : tr("Panels can be moved: drag the corner or the tab."),
              now());
}

void App::apply(const command::ResetLayout&) {
  settings_.layout_changed = false;
  layout_rebuild_ = true;
}

void App::apply(const command::FocusPanel& c) {
  focus_panel_ = c.panel;
  show_panel(c.panel);
}

void App::apply(const command::ShowStage& c) {
  const auto stage = static_cast<lab::Stage>(c.stage);
  const lab::RunResult* result = latest_ ? &latest_->result : nullptr;
  switch (stage) {
    case lab::Stage::kCompile:
    case lab::Stage::kCheck: show_panel("findings"); break;
    case lab::Stage::kEmulate:
      show_panel(result && error_count(*result) > 0 ? "findings" : "transactions");
      break;
    case lab::Stage::kCompare: show_panel("result"); break;
    case lab::Stage::kMeasure: show_panel("times"); break;
  }
  if (!result || stage != lab::Stage::kCompile) return;
  for (const Diagnostic& d : result->diagnostics) {
    if (d.place.line > 0 && d.severity == Severity::kError) {
      editor_.go_to = d.place;
      return;
    }
  }
}

void App::apply(const command::OpenPalette&) { dialog_.open = Dialog::kPalette; }
void App::apply(const command::OpenGlossary&) { dialog_.open = Dialog::kGlossary; }
void App::apply(const command::OpenKeys&) { dialog_.open = Dialog::kKeys; }

void App::apply(const command::SetKey& c) {
  settings_.keys[c.action] = c.chord;
  // One key, one action: whoever chose it before has lost it.
  if (!c.chord.empty()) {
    std::erase_if(settings_.keys,
                  [&](const auto& chosen) { return chosen.second == c.chord && chosen.first != c.action; });
  }
  use_keys(settings_.keys);
}

void App::apply(const command::ResetKeys&) {
  settings_.keys.clear();
  use_keys(settings_.keys);
}

// Another look each time: what was missing may be there now.
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
  for (char c : wanted.title) name += std::isalnum(static_cast<unsigned char>(c)) ? static_cast<char>(std::tolower(c)) : '-';
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
    toasts_.say(tr("Saved: {}", file.string()), now());
  } else {
    say(written);
  }
}

void App::apply(const command::ShowFrameTime&) { show_times_ = !show_times_; }
void App::apply(const command::Quit&) { window_->close(); }

}  // namespace warpshop::ui
