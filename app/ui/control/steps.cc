#include "control/steps.h"

#include <algorithm>
#include <utility>

#include "core/files.h"
#include "core/utc.h"
#include "panels/questions.h"
#include "state/step_state.h"
#include "text/text.h"

namespace warpshop::ui {
Steps::Steps(Shell& shell, Appearance& appearance, Docks& docks, OpenWork& work, Leaving& leaving,
             Runs& runs)
    : shell_(shell),
      appearance_(appearance),
      docks_(docks),
      work_(work),
      leaving_(leaving),
      runs_(runs) {
  CommandTable& commands = shell.commands;
  commands.on_work([this](const command::OpenStep& c) {
    std::string step = c.step;
    for (const lab::Lab& lab : work_.labs->labs) {
      if (lab.id != c.lab || !step.empty()) continue;
      if (const lab::Step* next = next_step(lab, work_.session->all_progress())) step = next->id;
    }
    open(c.lab, step);
  });
  commands.on_work([this](const command::MoveStep& c) {
    // From the home page, on to the step behind it, which has not been looked at yet.
    if (docks_.home_open()) {
      docks_.leave_home();
      return;
    }
    if (auto [lab, step] = work_.session->neighbour(c.by); step) {
      open(lab->id, step->id);
    } else {
      shell_.say(c.by > 0 ? tr("This is the last step.") : tr("This is the first step."));
    }
  });
  commands.on_work([this](const command::AnswerQuestion& c) {
    work_.session->progress().answers[c.question] = c.choice;
    answered();
  });
  commands.on_work([this](const command::AnswerNumber& c) {
    work_.session->progress().numbers[c.question] = c.number;
    answered();
  });
  commands.on_work([this](const command::GiveEstimate& c) {
    lab::StepProgress& progress = work_.session->progress();
    if (progress.passed) return;  // it would be no estimate
    progress.estimate = c.value;
    shell_.draw_frames(6);
    shell_.say(work_.session->save_progress());
  });
  commands.on_work([this](const command::ShowHint&) {
    if (!work_.has_kernel()) return;
    docks_.leave_home();
    shell_.dialog.open = Dialog::kNone;  // the solution's dialog offers it
    lab::StepProgress& progress = work_.session->progress();
    const int hints = static_cast<int>(work_.session->step()->exercise->hints.size());
    if (progress.hints_shown >= hints) {
      shell_.say(hints == 0 ? tr("This step has no hints.") : tr("There are no more hints."));
      return;
    }
    ++progress.hints_shown;
    ++shell_.facts.hints;
    shell_.draw_frames(6);
    docks_.show("steps");
    shell_.say(work_.session->save_progress());
  });
}

void Steps::answered() {
  if (!work_.session->step()->exercise && all_answered(*work_.session))
    shell_.say(work_.session->note_pass("", utc_now("%Y-%m-%dT%H:%M:%SZ")));
  // The panel scrolls once it knows the new height of the text.
  shell_.draw_frames(8);
  shell_.say(work_.session->save_progress());
}

void Steps::open(const std::string& lab, const std::string& step) {
  if (!leaving_.kept_or_asked(command::OpenStep{lab, step})) return;
  work_.leave_step();
  docks_.leave_home();
  runs_.forget();
  runs_.use_first_block();
  shell_.say(work_.session->open(lab, step));
  if (!work_.session->step()) return;
  if (work_.session->recovered()) shell_.say(tr("Your unsaved edits were put back."));
  if (work_.session->step()->exercise) {
    if (shell_.options.solution) work_.session->edit(work_.session->step()->exercise->solution);
    if (shell_.options.skeleton) work_.session->edit(work_.session->step()->exercise->skeleton);
    work_.watch_file();
  }
  appearance_.find_font_for(work_.session->text());
  ++work_.text_revision;
  work_.history.close();
  if (work_.session->step()->exercise && !shell_.options.read_only) {
    work_.history.open(user_dir() / "runs" / lab / step);
    shell_.say(work_.history.problem());
  }
  const std::string place = lab + "/" + step;
  std::erase(shell_.settings.recent, place);
  shell_.settings.recent.insert(shell_.settings.recent.begin(), place);
  shell_.settings.recent.resize(std::min(shell_.settings.recent.size(), kMostRecent));
  // Start at the step's text, except in analysis mode, where it has been read already.
  docks_.focus_text();
  shell_.settings.lab = lab;
  shell_.settings.step = step;
  work_.name_window();
  work_.use_step_gpu();
  // Do not show the answer before the student has made a
  // prediction, unless they have already run the kernel.
  const lab::StepProgress* progress = work_.session->progress_of(*work_.session->step());
  const bool ask_first = !all_answered(*work_.session) && !(progress && progress->runs > 0) &&
                         !shell_.options.read_only;
  if (work_.session->step()->exercise && !ask_first) runs_.submit();
}

}  // namespace warpshop::ui
