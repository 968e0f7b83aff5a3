// What commands do with the student's work: steps, questions, hints, the text, versions, the solution.
#include <algorithm>
#include <utility>

#include "app/lab_app.h"
#include "core/files.h"
#include "core/utc.h"
#include "panels/questions.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

// The maps are to follow an edit within 0.3 s; compiler and emulator take up to 0.17 of it on a slow machine.
constexpr double kTypingPauseSeconds = 0.1;
constexpr double kAutosaveSeconds = 0.8;

}  // namespace

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
  frames_due_ = std::max(frames_due_, 6);  // the panel scrolls once it knows how high the text has become
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
  frames_due_ = std::max(frames_due_, 6);
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

}  // namespace warpshop::ui
