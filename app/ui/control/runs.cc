#include "control/runs.h"

#include <algorithm>
#include <utility>

#include "compile/cuda_tokens.h"
#include "core/ascii.h"
#include "core/files.h"
#include "core/utc.h"
#include "lab/findings.h"
#include "panels/questions.h"
#include "state/second_gpu.h"
#include "state/wrap_index.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

// The maps must follow an edit within 0.3 s; compiler and emulator take up to 0.17 s of that on a
// slow machine.
constexpr double kTypingPauseSeconds = 0.1;
constexpr double kLiveOutputSeconds = 0.3;
constexpr const char* kCompilerTopic = "compiler";  // topic of the notice that it is still busy

}  // namespace

Runs::Runs(Shell& shell, Docks& docks, OpenWork& work, Results& results, Film& film,
           Measuring& measuring)
    : shell_(shell),
      docks_(docks),
      work_(work),
      results_(results),
      film_(film),
      measuring_(measuring),
      ptx_(shell.panels.of<PtxPanelState>()),
      worker_(shell.options.runner ? shell.options.runner : make_lab_runner(),
              [] { GlWindow::wake(); }),
      sass_worker_([] { GlWindow::wake(); }) {
  CommandTable& commands = shell.commands;
  commands.on([this](const command::Run&) {
    if (!work_.has_kernel()) return;
    docks_.leave_home();
    shell_.say(work_.session->save());
    work_.watch_file();
    work_.autosave_due_s = 0;
    submit();
    results_.job.asked = true;
    panels_stay_ = false;
  });
  // Does not wait for work that cannot be interrupted, such as a compilation. The run's results so
  // far arrive when its thread has ended.
  commands.on([this](const command::Stop&) {
    worker_.stop();
    measuring_.stop();
    due_s_ = 0;
    solution_runs_ = prediction_due_ = gpu_times_.running = false;
    if (results_.job.done) return;
    results_.job.done = results_.job.stopped = true;
    for (lab::StageReport& stage : results_.stages) {
      if (stage.state == lab::StageState::kRunning)
        stage = {lab::StageState::kStopped, 0, "stopped"};
    }
  });
  commands.on([this](const command::SelectGpu& c) {
    work_.choose_gpu(c.id);
    submit();
  });
  commands.on([this](const command::SelectSecondGpu& c) { shell_.settings.second_gpu = c.id; });
  commands.on([this](const command::StepSecondGpu& c) {
    docks_.show("compare");
    const size_t count = shell_.gpus.size();
    size_t at = 0;
    const std::string shown = second_gpu(shell_.gpus, work_.gpu_id(), shell_.settings.second_gpu);
    while (at < count && shell_.gpus[at].id != shown) ++at;
    // Comparing a GPU with itself shows nothing.
    for (size_t tries = 0; tries < count; ++tries) {
      at = wrap_index(at, c.by, count);
      if (shell_.gpus[at].id != work_.gpu_id()) break;
    }
    if (count > 0) shell_.settings.second_gpu = shell_.gpus[at].id;
  });
  commands.on([this](const command::PredictOnEveryGpu&) { predict_on_every_gpu(); });
  commands.on([this](const command::StepGpu& c) {
    for (size_t at = 0; at < shell_.gpus.size(); ++at) {
      if (shell_.gpus[at].id != work_.gpu_id()) continue;
      shell_.apply(command::SelectGpu{shell_.gpus[wrap_index(at, c.by, shell_.gpus.size())].id});
      return;
    }
  });
  commands.on([this](const command::SelectBlock& c) { select_block(c.block); });
  commands.on([this](const command::StepBlock& c) {
    const lab::KernelRun* run = results_.student();
    if (!run) return;
    const auto last = static_cast<int64_t>(run->grid.count()) - 1;
    const int64_t wanted = static_cast<int64_t>(block_) + c.by;
    if (wanted < 0 || wanted > last) {
      shell_.say(c.by > 0 ? tr("This is the last block of the grid.")
                          : tr("This is the first block of the grid."));
      return;
    }
    select_block(static_cast<uint64_t>(wanted));
  });
  commands.on([this](const command::SelectGlobalAccess& c) {
    if (!results_.prepared || shell_.view.stale) return;
    film_.follow();
    if (const auto entry = results_.prepared->accesses.of_global(c.block, c.warp, c.step)) {
      results_.select(*entry, false);
    } else if (block_ != c.block) {
      select_block(c.block);
      wanted_access_ = {results_.job.id, c};
    } else {
      shell_.say(tr("This access came after those that are recorded."));
    }
  });
}

RunJob Runs::job_of(const std::string& source, const models::GpuProfile& gpu) const {
  RunJob job;
  job.labs = work_.labs;
  job.lab = work_.session->lab();
  job.step = work_.session->step();
  job.source = source;
  job.file_name = work_.session->file_name();
  job.gpu = gpu;
  return job;
}

void Runs::submit() {
  due_s_ = 0;
  const models::GpuProfile* profile = work_.gpu();
  if (!work_.has_kernel() || !profile) return;
  RunJob job = job_of(work_.session->text(), *profile);
  job.preview_first = true;
  job.predict = true;
  job.record_blocks = {block_};
  job.prints = prints_ = std::make_shared<emulator::LivePrints>();
  measuring_.drop();
  predict_again_job_ = 0;
  // The same text again, for another block or GPU: keep the panels that the student is looking at.
  panels_stay_ = results_.latest && results_.latest->result.source == work_.session->text();
  results_.job.asked = false;
  results_.job.id = worker_.submit(std::move(job));
  results_.job.done = results_.job.stopped = false;
  solution_runs_ = prediction_due_ = gpu_times_.running = false;
  results_.job.since_s = shell_.now();
  results_.stages = {};
  results_.stages.front().state = lab::StageState::kRunning;
}

void Runs::forget() {
  worker_.stop();
  measuring_.forget();
  results_.job.done = true;
  results_.job.id = 0;
  results_.latest.reset();
  results_.prepared.reset();
  film_.close();
  results_.stages = {};
  results_.selected.reset();
  forget_solution();
  solution_runs_ = prediction_due_ = gpu_times_.running = false;
  due_s_ = work_.autosave_due_s = edited_at_s_ = 0;
}

void Runs::take_result(const RunUpdate& update) {
  const lab::RunResult& result = update.result->result;
  if (result.stopped && result.sizes.empty()) return;  // the older result stays, greyed
  results_.latest = update.result;
  bool first_maps = false;
  std::optional<command::SelectGlobalAccess> wanted;
  // The grid has become smaller.
  if (const lab::KernelRun* run = result.student();
      run && run->grid.count() > 0 && block_ >= run->grid.count()) {
    block_ = 0;
    submit();
    return;
  }
  if (!result.sizes.empty()) {
    const std::optional<size_t> before = results_.selected;
    const bool of_wanted = wanted_access_ && wanted_access_->job == update.job;
    if (of_wanted) wanted = wanted_access_->access;
    // The first result of a step that was run before keeps
    // the tabs that the student has brought to the front.
    const lab::StepProgress* known = work_.session->progress_of(*work_.session->step());
    first_maps = !results_.prepared && !(known && known->runs > 0);
    results_.selected = results_.prepared
                            ? carry_selection(results_.prepared->accesses, results_.selected,
                                              update.result->accesses)
                            : update.result->accesses.worst();
    results_.prepared = update.result;
    film_.close();
    if (wanted) {
      const auto entry =
          results_.prepared->accesses.of_global(wanted->block, wanted->warp, wanted->step);
      if (entry) results_.selected = entry;
      if (!update.result->preview) wanted_access_.reset();
    }
    if (results_.selected != before) results_.selected_at_s = shell_.now();
  }
  if (shell_.lecture.on()) {
    results_.select_scene_access();
    return;
  }
  measuring_.measure();
  // A tab that a result brought to the front gives way to the next result's; one that the student
  // has since chosen stays. Findings that are gone give up their place.
  const auto show = [&](const char* panel) {
    if (first_maps || (!panels_stay_ && docks_.gives_way_to(panel))) docks_.show(panel);
  };
  const bool wide = docks_.is_wide();
  const bool findings_are_gone = docks_.shows("findings");  // unless there are some
  if (lab::count_findings(result).all() > 0 ||
      (!result.sizes.empty() && (wide || findings_are_gone)))
    show(verdict_panel(result));
  show_refusal(result);
  // If it was selected in another panel, stay there.
  if ((wide || first_maps) && results_.selected && !result.sizes.empty() && !wanted)
    show(results_.access()->shared ? "banks" : "transactions");
  if (update.result->preview) return;
  if (result.first_to_compile) keep_as_reference(result.source);
  ++shell_.facts.results;
  const bool asked = std::exchange(results_.job.asked, false);
  if (asked) ++shell_.facts.runs;
  work_.history.add(result, utc_now("%Y-%m-%dT%H:%M:%SZ"), !asked);
  shell_.say(work_.history.problem());
  lab::StepProgress& progress = work_.session->progress();
  if (result.student()) ++progress.runs;
  // The banner is beside the step's text, which may be behind the editor.
  if (result.passed && !progress.passed && work_.session->step()->exercise->has_solution() &&
      !docks_.shows("steps"))
    shell_.say(tr("Every check passes: this step is done."));
  if (result.passed)
    shell_.say(work_.session->note_pass(result.source, utc_now("%Y-%m-%dT%H:%M:%SZ")));
  shell_.say(work_.session->save_progress());
}

// Nothing goes on before the compiler's errors are gone, so they come in front of any tab of their
// dock except the text, and give the place back.
void Runs::show_refusal(const lab::RunResult& result) {
  const bool refused = result.sizes.empty() && lab::count_findings(result).all() > 0;
  if (!refused) {
    // Of two results that come at once, the second still finds the errors in front.
    if (!docks_.shows("findings")) before_refusal_.clear();
    if (!before_refusal_.empty()) docks_.show(before_refusal_);
    return;
  }
  std::string front = docks_.front_beside("findings");
  if (panels_stay_ || front.empty() || front == "findings" || front == "steps" ||
      front == "editor" || docks_.gives_way_to("findings"))
    return;
  before_refusal_ = std::move(front);
  docks_.show("findings");
}

// The maps are unchanged.
void Runs::take_predictions(std::shared_ptr<const PreparedResult> result) {
  results_.latest = results_.prepared = std::move(result);
  work_.history.add_prediction(results_.prepared->result);
  measuring_.put_again();
}

void Runs::predict_again() {
  if (!results_.prepared || results_.latest != results_.prepared) return;
  RunJob job = job_of(results_.prepared->result.source, results_.prepared->result.gpu);
  job.predict = true;
  predict_again_job_ = worker_.submit(std::move(job));
}

// The labs are read again because of the file that changes.
void Runs::keep_as_reference(const std::string& text) {
  if (shell_.options.read_only) return;
  const Status written =
      write_file_atomically(work_.session->step()->exercise->reference_file, text);
  shell_.say(written);
  if (written.ok())
    shell_.say(tr("This is the first version that compiles. Later ones are compared with it."));
}

void Runs::take_updates() {
  for (RunUpdate& update : worker_.poll()) {
    shell_.draw_frames(3);
    slow_compiler_.news(shell_.now());
    if (update.job == solution_job_ && solution_job_ != 0) {
      if (update.result) solution_ = update.result;
      if (update.finished) solution_runs_ = false;
      // It had displaced the student's own run.
      if (update.finished && !results_.job.done) {
        submit();
      } else if (update.finished && std::exchange(prediction_due_, false)) {
        predict_again();
      }
      continue;
    }
    if (update.job == predict_again_job_ && predict_again_job_ != 0) {
      if (!update.predictions || !results_.prepared) continue;
      take_predictions(std::make_shared<PreparedResult>(
          with_predictions(*results_.prepared, update.result->result)));
      continue;
    }
    if (update.job == gpu_times_job_ && !update.gpu.empty()) {
      gpu_times_.of[update.gpu] = std::move(update.time);
      gpu_times_.running = gpu_times_.running && gpu_times_.of.size() < shell_.gpus.size();
      continue;
    }
    if (update.job != results_.job.id) continue;  // belongs to an older text
    if (results_.job.stopped && !update.result) continue;
    results_.stages = update.stages;
    measuring_.put_stage();
    if (update.predictions) {
      take_predictions(update.result);
      continue;
    }
    if (update.result) {
      prints_.reset();
      take_result(update);
    }
    if (update.finished) results_.job.done = true;
  }
  if (auto missing = worker_.missing(); missing && !missing_) {
    missing_ = std::move(missing);
    shell_.apply(command::OpenDoctor{});
    shell_.draw_frames(3);
  }
  // A panel asks for the times on other GPUs each time it is drawn, and is refused while the worker
  // is busy, as it still is when its last update comes.
  if (worker_.take_idle()) shell_.draw_frames(2);
  if (sass_worker_.take_news()) shell_.draw_frames(2);
}

void Runs::edited(bool typing) {
  edited_at_s_ = shell_.now();
  if (!shell_.settings.auto_run) return;
  if (typing) {
    due_s_ = edited_at_s_ + kTypingPauseSeconds;
  } else {
    submit();
  }
}

void Runs::pause() {
  worker_.stop();
  prediction_due_ = false;
  due_s_ = work_.autosave_due_s = 0;
}

void Runs::run_solution() {
  const models::GpuProfile* profile = work_.gpu();
  if (!profile || (solution_ && solution_->result.gpu.id == profile->id)) return;
  prediction_due_ = predicting();
  gpu_times_.running = false;
  solution_job_ = worker_.submit(job_of(work_.session->step()->exercise->solution, *profile));
  solution_runs_ = true;
}

bool Runs::are_current(const GpuTimes& times) const {
  return results_.prepared && times.step == results_.prepared->result.step &&
         times.source == results_.prepared->result.source;
}

void Runs::predict_on_every_gpu() {
  const bool idle = results_.job.done && !worker_.busy() && due_s_ == 0;
  if (!idle || !results_.prepared || shell_.view.stale || shell_.lecture.on()) return;
  const lab::RunResult& result = results_.prepared->result;
  const bool has_time = result.timed || !result.prediction_problems.empty() ||
                        (!result.sizes.empty() && result.sizes.front().student.prediction);
  if (results_.prepared->preview || !has_time) return;
  if (!are_current(gpu_times_)) gpu_times_ = {.step = result.step, .source = result.source};
  // A kernel that is not right was not run at the size for times: all GPUs predict it then.
  const bool at_size = result.timed || !work_.session->step()->exercise->timed;
  if (const std::optional<GpuTime> known = at_size ? gpu_time_of(result) : std::nullopt)
    gpu_times_.of[result.gpu.id] = *known;
  RunJob job = job_of(result.source, result.gpu);
  const std::string second = second_gpu(shell_.gpus, work_.gpu_id(), shell_.settings.second_gpu);
  for (const models::GpuProfile& gpu : shell_.gpus) {
    if (gpu_times_.find(gpu.id) != nullptr) continue;
    // The one that is looked at comes first.
    const bool first = gpu.id == second;
    job.times_on.insert(first ? job.times_on.begin() : job.times_on.end(), gpu);
  }
  if (job.times_on.empty()) return;
  gpu_times_job_ = worker_.submit(std::move(job));
  gpu_times_.running = true;
}

void Runs::select_block(uint64_t block) {
  if (block_ == block) return;
  block_ = block;
  film_.follow();
  submit();
}

void Runs::run_timers() {
  const double t = shell_.now();
  if (due_s_ > 0 && t >= due_s_) {
    due_s_ = 0;
    // Before its questions are answered, an untouched kernel does not run by itself, nor give its
    // figures away, for an empty line or a comment.
    const std::string& skeleton = work_.session->step()->exercise->skeleton;
    if (results_.latest || all_answered(*work_.session) ||
        !compile::same_code(work_.session->text(), skeleton))
      submit();
    shell_.draw_frames(3);
  }
  const bool compiling =
      !results_.job.done && results_.stages.front().state == lab::StageState::kRunning;
  if (!slow_compiler_.slow(compiling, t)) {
    if (std::exchange(slow_compiler_told_, false)) shell_.toasts.drop(kCompilerTopic);
  } else if (!std::exchange(slow_compiler_told_, true)) {
    shell_.toasts.say_lasting(
        {make_error("compile", tr("The compiler is still busy with your text"),
                    tr("It cannot be interrupted. Go on editing: the newest text "
                       "runs as soon as it is done."))},
        t, kCompilerTopic);
  }
}

void Runs::show_in(View& view) {
  view.latest = results_.latest.get();
  view.prepared = results_.prepared.get();
  view.latest_stale = results_.stale(results_.latest);
  view.stale = results_.stale(results_.prepared);
  view.running = !results_.job.done;
  view.running_since_s = results_.job.since_s;
  // A run that finishes quickly shows only its result.
  const bool prints = !results_.job.done && prints_ && prints_->calls() > 0 &&
                      shell_.now() - results_.job.since_s > kLiveOutputSeconds;
  view.printing = prints ? prints_.get() : nullptr;
  view.predicting = predicting();
  view.stages = results_.stages;
  view.selected = results_.selected;
  view.selected_at_s = results_.selected_at_s;
  view.solution = solution_.get();
  view.gpu_times = are_current(gpu_times_) ? &gpu_times_ : nullptr;
  const lab::KernelRun* student = results_.student();
  view.sass = ptx_.visible && ptx_.sass && student && student->cubin
                  ? sass_worker_.of(student->cubin)
                  : nullptr;
  view.compiler_missing = missing_ ? &*missing_ : nullptr;
}

void Runs::note_frame() {
  if (edited_at_s_ > 0 && results_.latest && !shell_.view.latest_stale &&
      !results_.latest->preview) {
    edit_to_result_s_ = shell_.now() - edited_at_s_;
    edited_at_s_ = 0;
  }
}

bool Runs::predicting() const {
  const Results::Job& job = results_.job;
  return worker_.busy() && job.done && !job.stopped && job.id != 0 &&
         (!solution_runs_ || prediction_due_) && !gpu_times_.running;
}

}  // namespace warpshop::ui
