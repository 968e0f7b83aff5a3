#include "control/film.h"

#include <algorithm>
#include <bit>

#include "compile/cuda_tokens.h"
#include "core/ascii.h"
#include "core/dim3.h"
#include "core/lines.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr double kStepSeconds = 0.12;    // per instruction while playing
constexpr double kAccessSeconds = 0.7;   // per memory access, for the map's animation
constexpr const char* kNotice = "film";  // each takes the place of the one before

// True if the line has more than comments and what only the preprocessor reads.
bool has_code(std::string_view text, int line) {
  const std::string whole = compile::without_comments(text);
  const std::string_view code = trimmed(nth_line(whole, line));
  return !code.empty() && code.front() != '#';
}

}  // namespace

Film::Film(Shell& shell, Docks& docks, Results& results)
    : shell_(shell),
      docks_(docks),
      results_(results),
      editor_(shell.editor()),
      warp_(shell.panels.of<WarpPanelState>()),
      registers_(shell.panels.of<VariablesPanelState>()),
      shared_(shell.panels.of<SharedPanelState>()),
      worker_([] { GlWindow::wake(); }) {
  CommandTable& commands = shell.commands;
  commands.on([this](const command::FilmOfFinding& c) { show_finding(c); });
  commands.on([this](const command::MoveFilm& c) {
    asked_ = true;
    if (!script_ || script_->steps.empty()) {
      // As in a debugger, stepping starts at the kernel's
      // first instruction, not at the access in the maps.
      from_start_ = c.by > 0 && (c.event == FilmEvent::kStep || c.event == FilmEvent::kLine);
      docks_.show("warp");
      return;
    }
    playing_ = false;
    const auto step = next_in_film(*script_, step_, c.event, c.by, registers_.lane);
    if (step) {
      show_step(*step);
      return;
    }
    const bool on = c.by > 0;
    switch (c.event) {
      case FilmEvent::kLine:
        shell_.say(on ? tr("Lane {} reaches no other line after this step.", registers_.lane)
                      : tr("Lane {} ran no other line before this step.", registers_.lane),
                   kNotice);
        break;
      case FilmEvent::kAccess:
        shell_.say(on ? tr("There is no access after this step.")
                      : tr("There is no access before this step."),
                   kNotice);
        break;
      case FilmEvent::kDivergence:
        shell_.say(on ? tr("The warp does not diverge after this step.")
                      : tr("The warp does not diverge before this step."),
                   kNotice);
        break;
      case FilmEvent::kFinding:
        shell_.say(on ? tr("Nothing wrong was found after this step of the warp.")
                      : tr("Nothing wrong was found before this step of the warp."),
                   kNotice);
        break;
      default:
        break;
    }
  });
  commands.on([this](const command::SeekFilm& c) {
    playing_ = false;
    show_step(c.step);
  });
  commands.on([this](const command::PlayFilm&) {
    asked_ = true;
    docks_.show("warp");
    if (!script_ || script_->steps.empty()) return;
    playing_ = !playing_;
    if (playing_ && step_ + 1 >= script_->steps.size()) show_step(0);
    due_s_ = shell_.now() + kStepSeconds;
  });
  commands.on([this](const command::FilmToLine& c) {
    command::FilmToLine wanted = c;
    if (wanted.line <= 0) {
      if (!editor_.editor) return;
      wanted.line = static_cast<int>(editor_.editor->GetMainCursorPosition().line) + 1;
    }
    asked_ = true;
    if (!registers_.visible) docks_.show("warp");  // either shows where the warp is
    if (script_ && !script_->steps.empty()) {
      run_to_line(wanted, step_);
    } else {
      to_line_ = wanted;  // from its first step once it is open
    }
  });
  commands.on([this](const command::FilmOfElement& c) {
    const lab::KernelRun* run = results_.current_student();
    if (!run || !run->films) return;
    asked_ = leads_ = seeks_writer_ = true;
    playing_ = false;
    finding_.reset();
    follows_.reset();
    docks_.show("warp");
    of_ = {run->films, 0, 0};  // the warp is not known until it is found
    drop_script();
    worker_.open_writer(of_.source, c.output, c.element);
  });
}

void Film::drop_script() {
  script_.reset();
  state_.reset();
  variables_.reset();
}

void Film::close() {
  shell_.toasts.drop(kNotice);  // of the kernel that was open
  worker_.close();
  of_ = {};
  drop_script();
  follows_.reset();
  finding_.reset();
  to_line_.reset();
  seeks_writer_ = from_start_ = false;
  step_ = 0;
  playing_ = leads_ = false;
}

void Film::follow_selection() {
  const lab::KernelRun* run = results_.student();
  if (!run || !run->films || run->records.empty()) return;
  if (!warp_.visible && !registers_.visible && !shared_.visible && !asked_) return;
  Of wanted{run->films, 0, 0};
  if (leads_ && of_.source == run->films) {
    wanted = of_;
  } else if (results_.selected) {
    const emulator::WarpIdentity& warp =
        run->records[results_.prepared->accesses.entries[*results_.selected].record].warp;
    wanted.block = warp.linear_block;
    wanted.warp = warp.warp;
  }
  if (!(wanted == of_)) {
    of_ = wanted;
    drop_script();
    follows_.reset();
    playing_ = leads_ = false;
    worker_.open(wanted.source, wanted.block, wanted.warp);
    return;
  }
  if (!script_ || leads_ || !results_.selected || follows_ == results_.selected) return;
  follows_ = results_.selected;
  const size_t record = results_.prepared->accesses.entries[*results_.selected].record;
  if (const auto step = step_of_access(*script_, record - first_record_of_warp(*run, record))) {
    step_ = *step;
    worker_.seek(step_);
  }
}

void Film::take_news() {
  const auto news = worker_.take();
  if (!news) return;
  shell_.draw_frames(2);
  const bool opened = news->script && script_ != news->script;
  script_ = news->script;
  state_ = news->state;
  variables_ = news->variables;
  if (seeks_writer_ && !script_) {
    seeks_writer_ = leads_ = false;
    of_ = {};
    shell_.say(tr("No thread wrote this element."), kNotice);
  }
  if (!opened || script_->steps.empty()) return;
  step_ = 0;
  if (seeks_writer_ && news->writer) {
    seeks_writer_ = false;
    of_.block = script_->block;
    of_.warp = script_->warp;
    if (const auto step = step_of_access(*script_, news->writer->access)) show_step(*step);
  } else if (finding_) {
    show_finding(*std::exchange(finding_, std::nullopt));
  } else if (std::exchange(from_start_, false)) {
    show_step(0);
  } else if (to_line_) {
    run_to_line(*std::exchange(to_line_, std::nullopt), std::nullopt);
  } else {
    follow_selection();
  }
  worker_.seek(step_);
}

void Film::show_step(size_t step) {
  if (!script_ || step >= script_->steps.size()) return;
  step_ = step;
  leads_ = true;
  worker_.seek(step);
  const lab::KernelRun& run = *results_.prepared->result.student();
  if (results_.selected) {
    // A film opened at a finding or an element may belong to another warp than the maps.
    size_t near = *results_.selected;
    for (const WarpAccesses& warp : results_.prepared->accesses.warps) {
      if (warp.warp.linear_block == script_->block && warp.warp.warp == script_->warp)
        near = warp.first;
    }
    // Between accesses the maps show the last one that the film has reached.
    std::optional<size_t> entry;
    for (size_t n = step + 1; n-- > 0 && !entry;)
      entry = entry_at_step(run, results_.prepared->accesses, near, *script_, n);
    if (entry) {
      // Stay on the contents of shared memory if they are shown.
      results_.select(*entry, !shared_.visible);
      follows_ = results_.selected;
    }
  }
  results_.scroll_to(script_->at(step).line);
}

void Film::play() {
  if (!playing_ || !script_) return;
  const double t = shell_.now();
  if (t < due_s_) return;
  if (step_ + 1 >= script_->steps.size()) {
    playing_ = false;
  } else {
    show_step(step_ + 1);
    const bool access = script_->steps[step_].flags & emulator::kStepAccess;
    due_s_ = t + (access ? kAccessSeconds : kStepSeconds);
  }
  shell_.draw_frames(2);
}

void Film::run_to_line(const command::FilmToLine& c, std::optional<size_t> from) {
  playing_ = false;
  if (const auto step = step_at_line(*script_, from, c.line, c.by)) return show_step(*step);
  const bool ever = step_at_line(*script_, std::nullopt, c.line, 1).has_value();
  const bool code = !editor_.editor || has_code(editor_.editor->GetText(), c.line);
  shell_.say(!code   ? tr("Line {} has no code.", c.line)
             : !ever ? tr("No instruction of this warp belongs to line {}: the compiler may have "
                          "merged it with another line.",
                          c.line)
             : c.by > 0 ? tr("The warp does not reach line {} after this step.", c.line)
                        : tr("The warp did not reach line {} before this step.", c.line),
             kNotice);
}

void Film::show_finding(const command::FilmOfFinding& c) {
  const lab::KernelRun* run = results_.current_student();
  if (!run || !run->films || c.finding >= run->findings.size()) return;
  const emulator::Finding& finding = run->findings[c.finding];
  const Dim3& at = finding.who.block;
  const auto thread = static_cast<uint32_t>(linear_in(run->block, finding.who.thread));
  const Of wanted{run->films, at.x + uint64_t{run->grid.x} * (at.y + uint64_t{run->grid.y} * at.z),
                  thread / 32};
  asked_ = true;
  docks_.show("warp");
  if (!(wanted == of_) || !script_) {
    of_ = wanted;
    drop_script();
    leads_ = true;
    finding_ = c;
    worker_.open(wanted.source, wanted.block, wanted.warp);
    return;
  }
  // The finding's instruction executed by that thread,
  // preferably where the replay reports the same finding.
  const uint32_t lane = 1u << (thread % 32);
  std::optional<size_t> step;
  for (size_t n = 0; n < script_->steps.size(); ++n) {
    const emulator::ReplayStep& s = script_->steps[n];
    if (!(s.mask & lane) || script_->at(n).ptx_line != finding.ptx_line) continue;
    if (!step) step = n;
    if (s.flags & emulator::kStepFinding) {
      step = n;
      break;
    }
  }
  if (step) show_step(*step);
}

void Film::show_in(View& view) const {
  view.film = script_.get();
  view.film_state = state_.get();
  view.film_variables = variables_.get();
  view.film_step = step_;
  view.film_playing = playing_;
  view.film_opening = of_.source && !script_ && worker_.busy();
  view.film_leads = leads_;
}

}  // namespace warpshop::ui
