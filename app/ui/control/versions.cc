#include "control/versions.h"

#include <utility>

#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr double kAutosaveSeconds = 0.8;

}  // namespace

Versions::Versions(Shell& shell, Appearance& appearance, OpenWork& work, Results& results,
                   Runs& runs)
    : shell_(shell), appearance_(appearance), work_(work), results_(results), runs_(runs) {
  CommandTable& commands = shell.commands;
  commands.on([this](const command::EditText& c) {
    for (const TextStep& step : c.steps) work_.session->edit(step.text, step.joined);
    work_.session->edit(c.text);
    if (shell_.lecture.on()) shell_.lecture.keep_edit(c.text);
    appearance_.find_font_for(c.text);
    ++shell_.facts.edits;
    // Counted from the first letter, not from the last, so that typing without a pause loses no
    // more.
    if (work_.autosave_due_s == 0) work_.autosave_due_s = shell_.now() + kAutosaveSeconds;
    runs_.edited(true);
  });
  commands.on([this](const command::EditorGesture& c) {
    if (!shell_.editor().editor || (shell_.lecture.on() && !is_search(c.gesture))) return;
    shell_.editor().gestures.push_back(c.gesture);
    shell_.draw_frames(2);
  });
  commands.on([this](const command::Save&) {
    if (!work_.has_kernel()) return;
    Status saved = work_.session->save();
    if (saved.ok()) {
      work_.watch_file();
      work_.autosave_due_s = 0;
    } else {
      shell_.say(saved);
    }
    const bool current = results_.latest &&
                         results_.latest->result.source == work_.session->text() &&
                         !results_.latest->preview;
    const bool on_its_way = !results_.job.done && runs_.due_s() == 0;
    if (!current && !on_its_way) runs_.submit();
  });
  commands.on_work([this](const command::AskReset&) {
    if (work_.has_kernel()) shell_.dialog.open = Dialog::kReset;
  });
  commands.on_work([this](const command::Reset&) {
    shell_.dialog.open = Dialog::kNone;
    Result<std::filesystem::path> kept = work_.session->reset();
    if (!kept.ok()) {
      shell_.say(kept.errors());
      return;
    }
    text_replaced();
    shell_.say(kept->empty() ? std::string(tr("The step was reset."))
                             : tr("The step was reset. Your text is kept: {}", kept->string()));
  });
  commands.on_work([this](const command::AskSolution&) {
    if (!work_.has_kernel()) return;
    if (!work_.session->step()->exercise->has_solution()) {
      shell_.say(tr("There is no solution: the kernel is yours."));
      return;
    }
    const lab::StepProgress* progress = work_.session->progress_of(*work_.session->step());
    if (progress && (progress->solution_shown || progress->passed)) {
      show_solution();
    } else {
      shell_.dialog.open = Dialog::kAskSolution;
    }
  });
  commands.on_work([this](const command::ShowSolution&) {
    work_.session->progress().solution_shown = true;
    shell_.say(work_.session->save_progress());
    show_solution();
  });
  commands.on_work([this](const command::TakeSolution&) {
    shell_.dialog.open = Dialog::kNone;
    Status taken = work_.session->take_solution();
    if (!taken.ok()) {
      shell_.say(taken);
      return;
    }
    text_replaced();
    shell_.say(tr(
        "The solution is in the editor. Your own text is in the history; Ctrl+Z brings it back."));
  });
  // "baseline": the baseline, else the version before the last.
  commands.on_work([this](const command::OpenChanges& c) {
    if (work_.history.runs().empty()) {
      shell_.say(tr("No version was run yet: there is nothing to compare with."));
      return;
    }
    std::string left = c.left;
    if (left == "baseline") {
      const std::vector<RunRecord>& all = work_.history.runs();
      left = work_.history.baseline() ? work_.history.baseline()->id
                                      : all[all.size() > 1 ? all.size() - 2 : 0].id;
    }
    shell_.dialog.left = left;
    shell_.dialog.right = c.right;
    shell_.dialog.open = Dialog::kChanges;
  });
  commands.on_work([this](const command::TakeVersion& c) {
    shell_.dialog.open = Dialog::kNone;
    const RunRecord* run = work_.history.find(c.run);
    if (!run) return;
    Result<std::string> text = work_.history.text_of(*run);
    if (!text.ok()) {
      shell_.say(text.errors());
      return;
    }
    work_.session->edit(std::move(text).value());
    shell_.say(work_.session->autosave());
    text_replaced();
    shell_.say(tr("Version {} is in the editor; Ctrl+Z brings your text back.", c.run));
  });
  commands.on_work([this](const command::RestorePassed&) {
    if (!work_.has_kernel()) return;
    const std::optional<std::string>& passed = work_.session->passed_version();
    if (!passed) {
      shell_.say(tr("No version of this step has passed yet."));
    } else if (*passed == work_.session->text()) {
      shell_.say(tr("The version that passed is in the editor."));
    } else {
      work_.session->edit(*passed);
      shell_.say(work_.session->autosave());
      text_replaced();
      shell_.say(
          tr("The version that passed is in the editor again; Ctrl+Z brings your text back."));
    }
  });
  commands.on_work([this](const command::PinBaseline& c) { pin(c.run); });
  commands.on_work([this](const command::PinLatest&) {
    if (work_.history.runs().empty()) {
      shell_.say(tr("No version was run yet: there is nothing to compare with."));
    } else {
      pin(work_.history.runs().back().id);
    }
  });
  commands.on_work([this](const command::ResolveConflict& c) {
    shell_.dialog.open = Dialog::kNone;
    if (c.keep_mine) {
      shell_.say(work_.session->keep_mine());
    } else {
      shell_.say(work_.session->take_theirs());
      text_replaced();
    }
  });
}

void Versions::show_solution() {
  shell_.dialog.open = Dialog::kSolution;
  runs_.run_solution();
}

void Versions::text_replaced() {
  appearance_.find_font_for(work_.session->text());
  ++work_.text_revision;
  runs_.edited(false);
}

void Versions::pin(const std::string& run) {
  shell_.say(work_.history.pin(run));
  shell_.say(run.empty() ? std::string(tr("No baseline is pinned."))
                         : tr("Version {} is the baseline.", run));
}

void Versions::look_outside() {
  // During a lecture the student's file is not touched; it is read again afterwards.
  if (!work_.take_file_changed() || shell_.lecture.on()) return;
  switch (work_.session->look_outside()) {
    case Session::Outside::kNothing:
      break;
    case Session::Outside::kTaken:
      text_replaced();
      shell_.say(tr("Another program changed the file: its text was taken over."));
      break;
    case Session::Outside::kConflict:
      shell_.dialog.open = Dialog::kConflict;
      break;
  }
  shell_.draw_frames(3);
}

void Versions::run_timers() {
  if (work_.autosave_due_s == 0 || shell_.now() < work_.autosave_due_s) return;
  work_.autosave_due_s = 0;
  shell_.say(work_.session->autosave());
}

}  // namespace warpshop::ui
