// Runs, their results, and the selection within them: GPU, block, access, line.
#include <algorithm>
#include <utility>

#include "app/lab_app.h"
#include "core/utc.h"
#include "imgui_internal.h"
#include "lab/findings.h"
#include "state/round.h"
#include "state/second_gpu.h"
#include "text/text.h"

namespace warpshop::ui {

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

void App::apply(const command::Run&) {
  if (!session_->step() || !session_->step()->exercise) return;
  leave_home();
  say(session_->save());
  watch_->watch(session_->file().parent_path());
  autosave_due_s_ = 0;
  submit_run();
  run_asked_ = true;
  panels_stay_ = false;
}

// Does not wait for work that cannot be interrupted, such as a compilation. The run's results so
// far arrive when its thread has ended.
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
  job.prints = prints_ = std::make_shared<emulator::LivePrints>();
  devices_->drop();
  // The same text again, for another block or GPU: keep the panels that the student is looking at.
  panels_stay_ = latest_ && latest_->result.source == session_->text();
  run_asked_ = false;
  job_ = worker_->submit(std::move(job));
  job_done_ = job_stopped_ = solution_runs_ = false;
  job_since_s_ = now();
  stages_ = {};
  stages_.front().state = lab::StageState::kRunning;
}

bool App::chosen_by_result(std::string_view panel) {
  const ImGuiWindow* window = panel_window(panel);
  // The banks panel appears with the first access to shared memory, in the transactions' dock.
  if (!window || !window->DockNode) window = panel_window("transactions");
  if (!window || !window->DockNode || !window->DockNode->VisibleWindow) return true;
  for (const char* own : {"transactions", "banks", "result", "times", "findings"}) {
    if (window->DockNode->VisibleWindow == panel_window(own)) return true;
  }
  return false;
}

void App::take_result(const RunUpdate& update) {
  const lab::RunResult& result = update.result->result;
  if (result.stopped && result.sizes.empty()) return;  // the older result stays, greyed
  latest_ = update.result;
  bool first_maps = false;
  std::optional<command::SelectGlobalAccess> wanted;
  // The grid has become smaller.
  if (const lab::KernelRun* run = result.student();
      run && run->grid.count() > 0 && block_ >= run->grid.count()) {
    block_ = 0;
    submit_run();
    return;
  }
  if (!result.sizes.empty()) {
    const std::optional<size_t> before = selected_;
    const bool of_wanted = wanted_access_ && wanted_access_->job == update.job;
    if (of_wanted) wanted = wanted_access_->access;
    // The first result of a step that was run before keeps
    // the tabs that the student has brought to the front.
    const lab::StepProgress* known = session_->progress_of(*session_->step());
    first_maps = !prepared_ && !(known && known->runs > 0);
    selected_ = prepared_ ? carry_selection(prepared_->accesses, selected_, update.result->accesses)
                          : update.result->accesses.worst();
    prepared_ = update.result;
    close_film();
    if (wanted) {
      const auto entry = prepared_->accesses.of_global(wanted->block, wanted->warp, wanted->step);
      if (entry) selected_ = entry;
      if (!update.result->preview) wanted_access_.reset();
    }
    if (selected_ != before) selected_at_s_ = now();
  }
  if (lecture_.on()) {
    take_scene_result();
    return;
  }
  measure_result();
  const bool wide = layout_ == LayoutClass::kWide;
  // A tab that a result brought to the front gives way to the next result's; one that the student
  // has since chosen stays. Findings that are gone give up their place. While the layout settles,
  // the front tabs are not known yet.
  const auto show = [&](const char* panel) {
    if (first_maps || (layout_settles_ == 0 && !panels_stay_ && chosen_by_result(panel)))
      show_panel(panel);
  };
  if (lab::count_findings(result).all() > 0 || (!result.sizes.empty() && wide))
    show(verdict_panel(result));
  // If it was selected in another panel, stay there.
  if ((wide || first_maps) && selected_ && !result.sizes.empty() && !wanted) {
    show(prepared_->accesses.entries[*selected_].shared ? "banks" : "transactions");
  }
  if (update.result->preview) return;
  ++facts_.results;
  if (std::exchange(run_asked_, false)) ++facts_.runs;
  history_.add(result, utc_now("%Y-%m-%dT%H:%M:%SZ"));
  say(history_.problem());
  lab::StepProgress& progress = session_->progress();
  ++progress.runs;
  if (result.passed) say(session_->note_pass(result.source, utc_now("%Y-%m-%dT%H:%M:%SZ")));
  say(session_->save_progress());
}

const char* App::verdict_panel(const lab::RunResult& result) {
  if (lab::count_findings(result).all() > 0) return "findings";
  return !result.sizes.empty() && result.sizes.front().correct ? "times" : "result";
}

void App::apply(const command::SelectGpu& c) {
  (step_gpu_.empty() ? settings_.gpu : step_gpu_) = c.id;
  submit_run();
}

void App::apply(const command::SelectSecondGpu& c) { settings_.second_gpu = c.id; }

void App::apply(const command::StepSecondGpu& c) {
  show_panel("compare");
  const size_t count = gpus_.size();
  size_t at = 0;
  const std::string shown = second_gpu(gpus_, gpu_id(), settings_.second_gpu);
  while (at < count && gpus_[at].id != shown) ++at;
  // Comparing a GPU with itself shows nothing.
  for (size_t tries = 0; tries < count; ++tries) {
    at = go_round(at, c.by, count);
    if (gpus_[at].id != gpu_id()) break;
  }
  if (count > 0) settings_.second_gpu = gpus_[at].id;
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
    toasts_.say(c.by > 0 ? tr("This is the last block of the grid.")
                         : tr("This is the first block of the grid."),
                now());
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
  // Scroll the editor if the line is not visible.
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

void App::apply(const command::SelectGlobalAccess& c) {
  if (!prepared_ || view_.stale) return;
  film_leads_ = false;
  if (const auto entry = prepared_->accesses.of_global(c.block, c.warp, c.step)) {
    select(*entry, false);
  } else if (block_ != c.block) {
    apply(command::SelectBlock{c.block});
    wanted_access_ = {job_, c};
  } else {
    toasts_.say(tr("This access came after those that are recorded."), now());
  }
}

void App::apply(const command::StepAccess& c) {
  film_leads_ = false;
  if (!prepared_ || !selected_) return;
  ++facts_.looks;  // at the last access, too
  const AccessIndex& accesses = prepared_->accesses;
  size_t to = accesses.in_same_warp(*selected_, c.by);
  // A slide's map shows one kind of memory: skip accesses to the other.
  const std::string_view panel = lecture_.on() ? lecture_.panel() : "";
  if (panel == "transactions" || panel == "banks") {
    const bool shared = panel == "banks";
    for (size_t next = to; accesses.entries[to].shared != shared; to = next) {
      next = accesses.in_same_warp(to, c.by);
      if (next == to) return;
    }
  }
  select(to, true);
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

void App::take_run_updates() {
  for (RunUpdate& update : worker_->poll()) {
    frames_due_ = 3;
    slow_compiler_.news(now());
    if (update.job == solution_job_ && solution_job_ != 0) {
      if (update.result) solution_ = update.result;
      if (update.finished) solution_runs_ = false;
      // It had displaced the student's own run.
      if (update.finished && !job_done_) submit_run();
      continue;
    }
    if (update.job != job_) continue;  // belongs to an older text
    if (job_stopped_ && !update.result) continue;
    stages_ = update.stages;
    if (measured_run_ == job_) stages_[static_cast<size_t>(lab::Stage::kMeasure)] = measured_.stage;
    if (update.predictions) {
      // The maps are unchanged.
      latest_ = prepared_ = update.result;
      history_.add_prediction(update.result->result);
      if (measured_run_ == job_) put_measured(measured_);
      continue;
    }
    if (update.result) {
      prints_.reset();
      take_result(update);
    }
    if (update.finished) job_done_ = true;
  }
  if (auto missing = worker_->missing(); missing && !missing_) {
    missing_ = std::move(missing);
    apply(command::OpenDoctor{});
    frames_due_ = 3;
  }
}

}  // namespace warpshop::ui
