// Commands on the student's work: steps, questions, hints, the text, versions, the solution.
#include <algorithm>
#include <utility>

#include "app/lab_app.h"
#include "core/files.h"
#include "core/utc.h"
#include "panels/questions.h"
#include "state/step_state.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

// The maps must follow an edit within 0.3 s; compiler and
// emulator take up to 0.17 s of that on a slow machine.
constexpr double kTypingPauseSeconds = 0.1;
constexpr double kAutosaveSeconds = 0.8;

}  // namespace

void App::leave_step() {
  if (!session_ || !session_->step()) return;
  if (session_->dirty()) say(session_->save());
  say(session_->autosave());
  say(session_->save_progress());
}

void App::apply(const command::OpenHome&) {
  if (home_.open) {
    apply(command::CloseHome{});
    return;
  }
  if (session_->step()) before_home_ = panels_in_front();
  ++facts_.homes;
  show_home();
}

void App::show_home() {
  home_.open = home_.focus = true;
  window_->set_title(std::string(tr("Labs")) + " – Warpshop");
  frames_due_ = std::max(frames_due_, 6);
}

void App::apply(const command::CloseHome&) {
  if (!home_.open || !session_->step()) return;
  leave_home();
  focus_panel_ = settings_.mode == Mode::kAnalysis ? "editor" : "steps";
  window_->set_title(session_->step()->title + " – " + session_->lab()->title + " – Warpshop");
}

void App::leave_home() {
  if (!home_.open) return;
  home_.open = false;
  std::vector<std::string> tabs = std::exchange(before_home_, {});
  if (tabs.empty()) tabs = {"transactions", "result"};
  tabs_to_show_.insert(tabs_to_show_.begin(), tabs.begin(), tabs.end());
  layout_settles_ = 3;
  frames_due_ = std::max(frames_due_, 6);
}

void App::open_step(const std::string& lab, const std::string& step) {
  if (!kept_or_asked(command::OpenStep{lab, step})) return;
  leave_step();
  leave_home();
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
  find_font_for(session_->text());
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
  // Start at the step's text, except in analysis mode, where it has been read already.
  focus_panel_ = settings_.mode == Mode::kAnalysis ? "editor" : "steps";
  settings_.lab = lab;
  settings_.step = step;
  window_->set_title(session_->step()->title + " – " + session_->lab()->title + " – Warpshop");
  use_step_gpu();
  // Do not show the answer before the student has made a
  // prediction, unless they have already run the kernel.
  const lab::StepProgress* progress = session_->progress_of(*session_->step());
  const bool ask_first =
      !all_answered(*session_) && !(progress && progress->runs > 0) && !options_.read_only;
  if (session_->step()->exercise && !ask_first) submit_run();
}

// Selects the GPU whose rules the step counts by, whichever GPU the student has selected otherwise.
void App::use_step_gpu() {
  step_gpu_.clear();
  const lab::Step* step = session_->step();
  if (!step || !step->exercise || !step->exercise->model_gpu || !options_.ui.gpu.empty()) return;
  const std::string& id = step->exercise->model_gpu->id;
  if (profile_of(id)) step_gpu_ = id;
}

void App::apply(const command::OpenStep& c) {
  std::string step = c.step;
  for (const lab::Lab& lab : labs_->labs) {
    if (lab.id != c.lab || !step.empty()) continue;
    if (const lab::Step* next = next_step(lab, session_->all_progress())) step = next->id;
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
  if (!session_->step()->exercise && all_answered(*session_)) {
    say(session_->note_pass("", utc_now("%Y-%m-%dT%H:%M:%SZ")));
  }
  // The panel scrolls once it knows the new height of the text.
  frames_due_ = std::max(frames_due_, 6);
  say(session_->save_progress());
}

void App::apply(const command::ShowHint&) {
  if (!session_->step() || !session_->step()->exercise) return;
  leave_home();
  dialog_.open = Dialog::kNone;  // the solution's dialog offers it
  lab::StepProgress& progress = session_->progress();
  const int hints = static_cast<int>(session_->step()->exercise->hints.size());
  if (progress.hints_shown >= hints) {
    toasts_.say(hints == 0 ? tr("This step has no hints.") : tr("There are no more hints."), now());
    return;
  }
  ++progress.hints_shown;
  ++facts_.hints;
  frames_due_ = std::max(frames_due_, 6);
  show_panel("steps");
  say(session_->save_progress());
}

void App::apply(const command::EditText& c) {
  for (const TextStep& step : c.steps) session_->edit(step.text, step.joined);
  session_->edit(c.text);
  if (lecture_.on()) lecture_.keep_edit(c.text);
  find_font_for(c.text);
  const double t = now();
  edited_at_s_ = t;
  ++facts_.edits;
  // Counted from the first letter, not from the last, so that typing without a pause loses no more.
  if (autosave_due_s_ == 0) autosave_due_s_ = t + kAutosaveSeconds;
  if (settings_.auto_run) run_due_s_ = t + kTypingPauseSeconds;
}

void App::apply(const command::EditorGesture& c) {
  if (!editor_.editor || lecture_.on()) return;
  editor_.gestures.push_back(c.gesture);
  frames_due_ = std::max(frames_due_, 2);
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
  toasts_.say(kept->empty() ? std::string(tr("The step was reset."))
                            : tr("The step was reset. Your text is kept: {}", kept->string()),
              now());
}

void App::apply(const command::AskSolution&) {
  if (!session_->step() || !session_->step()->exercise) return;
  if (!session_->step()->exercise->has_solution()) {
    toasts_.say(tr("There is no solution: the kernel is yours."), now());
    return;
  }
  const lab::StepProgress* progress = session_->progress_of(*session_->step());
  if (progress && (progress->solution_shown || progress->passed)) {
    show_solution();
  } else {
    dialog_.open = Dialog::kAskSolution;
  }
}

// Also runs it, so that its counters can be compared with the student's.
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
  toasts_.say(
      tr("The solution is in the editor. Your own text is in the history; Ctrl+Z brings it back."),
      now());
}

// "baseline": the baseline, else the version before the last.
void App::apply(const command::OpenChanges& c) {
  if (history_.runs().empty()) {
    toasts_.say(tr("No version was run yet: there is nothing to compare with."), now());
    return;
  }
  std::string left = c.left;
  if (left == "baseline") {
    const std::vector<RunRecord>& runs = history_.runs();
    left = history_.baseline() ? history_.baseline()->id
                               : runs[runs.size() > 1 ? runs.size() - 2 : 0].id;
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

void App::apply(const command::RestorePassed&) {
  if (!session_->step() || !session_->step()->exercise) return;
  const std::optional<std::string>& passed = session_->passed_version();
  if (!passed) {
    toasts_.say(tr("No version of this step has passed yet."), now());
  } else if (*passed == session_->text()) {
    toasts_.say(tr("The version that passed is in the editor."), now());
  } else {
    session_->edit(*passed);
    say(session_->autosave());
    text_replaced();
    toasts_.say(tr("The version that passed is in the editor again; Ctrl+Z brings your text back."),
                now());
  }
}

void App::apply(const command::PinBaseline& c) {
  say(history_.pin(c.run));
  toasts_.say(c.run.empty() ? std::string(tr("No baseline is pinned."))
                            : tr("Version {} is the baseline.", c.run),
              now());
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

// Call when the text has changed other than by typing: shows it in the editor and runs it.
void App::text_replaced() {
  find_font_for(session_->text());
  ++text_revision_;
  edited_at_s_ = now();
  if (settings_.auto_run) submit_run();
}

}  // namespace warpshop::ui
