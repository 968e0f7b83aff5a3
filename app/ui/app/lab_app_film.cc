// The film of a warp: opened when a panel shows it; the maps and the editor follow it.
#include <algorithm>
#include <bit>

#include "app/lab_app.h"
#include "compile/cuda_tokens.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr double kStepSeconds = 0.12;   // per instruction while playing
constexpr double kAccessSeconds = 0.7;  // per memory access, for the map's animation

// The thread's linear index in its block, which determines its warp and lane.
uint32_t linear_thread(const emulator::Dim3& thread, const emulator::Dim3& block) {
  return thread.x + block.x * (thread.y + block.y * thread.z);
}

}  // namespace

void App::close_film() {
  film_worker_->close();
  film_of_ = {};
  film_.reset();
  film_state_.reset();
  film_variables_.reset();
  film_follows_.reset();
  film_finding_.reset();
  film_to_line_.reset();
  film_seeks_writer_ = film_from_start_ = false;
  film_step_ = 0;
  film_playing_ = film_leads_ = false;
}

void App::follow_selection() {
  const lab::KernelRun* run = prepared_ ? prepared_->result.student() : nullptr;
  if (!run || !run->films || run->records.empty()) return;
  if (!warp_.visible && !registers_.visible && !shared_.visible && !film_asked_) return;
  FilmOf wanted{run->films, 0, 0};
  if (film_leads_ && film_of_.source == run->films) {
    wanted = film_of_;
  } else if (selected_) {
    const emulator::WarpIdentity& warp =
        run->records[prepared_->accesses.entries[*selected_].record].warp;
    wanted.block = warp.linear_block;
    wanted.warp = warp.warp;
  }
  if (!(wanted == film_of_)) {
    film_of_ = wanted;
    film_.reset();
    film_state_.reset();
    film_variables_.reset();
    film_follows_.reset();
    film_playing_ = film_leads_ = false;
    film_worker_->open(wanted.source, wanted.block, wanted.warp);
    return;
  }
  if (!film_ || film_leads_ || !selected_ || film_follows_ == selected_) return;
  film_follows_ = selected_;
  const size_t record = prepared_->accesses.entries[*selected_].record;
  if (const auto step = step_of_access(*film_, record - first_record_of_warp(*run, record))) {
    film_step_ = *step;
    film_worker_->seek(film_step_);
  }
}

void App::take_film_news() {
  const auto news = film_worker_->take();
  if (!news) return;
  frames_due_ = std::max(frames_due_, 2);
  const bool opened = news->script && film_ != news->script;
  film_ = news->script;
  film_state_ = news->state;
  film_variables_ = news->variables;
  if (film_seeks_writer_ && !film_) {
    film_seeks_writer_ = film_leads_ = false;
    film_of_ = {};
    toasts_.say(tr("No thread wrote this element."), now());
  }
  if (!opened || film_->steps.empty()) return;
  film_step_ = 0;
  if (film_seeks_writer_ && news->writer) {
    film_seeks_writer_ = false;
    film_of_.block = film_->block;
    film_of_.warp = film_->warp;
    if (const auto step = step_of_access(*film_, news->writer->access)) show_film_step(*step);
  } else if (film_finding_) {
    const command::FilmOfFinding finding = *std::exchange(film_finding_, std::nullopt);
    apply(finding);
  } else if (std::exchange(film_from_start_, false)) {
    show_film_step(0);
  } else if (film_to_line_) {
    run_to_line(*std::exchange(film_to_line_, std::nullopt), std::nullopt);
  } else {
    follow_selection();
  }
  film_worker_->seek(film_step_);
}

void App::show_film_step(size_t step) {
  if (!film_ || step >= film_->steps.size()) return;
  film_step_ = step;
  film_leads_ = true;
  film_worker_->seek(step);
  const lab::KernelRun& run = *prepared_->result.student();
  if (selected_) {
    // A film opened at a finding or an element may belong to another warp than the maps.
    size_t near = *selected_;
    for (const WarpAccesses& warp : prepared_->accesses.warps) {
      if (warp.warp.linear_block == film_->block && warp.warp.warp == film_->warp)
        near = warp.first;
    }
    if (const auto entry = entry_at_step(run, prepared_->accesses, near, *film_, step)) {
      // Stay on the contents of shared memory if they are shown.
      select(*entry, !shared_.visible);
      film_follows_ = selected_;
    }
  }
  const int line = film_->at(step).line;
  if (line > 0 && editor_.editor && !editor_.focused) {
    TextEditor& editor = *editor_.editor;
    const auto at = static_cast<size_t>(line - 1);
    if (at < editor.GetLineCount() && !editor.IsDocPosVisible({at, 0})) {
      editor.ScrollToLine(at, TextEditor::Scroll::alignMiddle);
    }
  }
}

void App::play_film() {
  if (!film_playing_ || !film_) return;
  const double t = now();
  if (t < film_due_s_) return;
  if (film_step_ + 1 >= film_->steps.size()) {
    film_playing_ = false;
  } else {
    show_film_step(film_step_ + 1);
    const bool access = film_->steps[film_step_].flags & emulator::kStepAccess;
    film_due_s_ = t + (access ? kAccessSeconds : kStepSeconds);
  }
  frames_due_ = std::max(frames_due_, 2);
}

void App::apply(const command::MoveFilm& c) {
  film_asked_ = true;
  if (!film_ || film_->steps.empty()) {
    // As in a debugger, stepping starts at the kernel's
    // first instruction, not at the access in the maps.
    film_from_start_ = c.by > 0 && (c.event == FilmEvent::kStep || c.event == FilmEvent::kLine);
    show_panel("warp");
    return;
  }
  film_playing_ = false;
  const auto step = next_in_film(*film_, film_step_, c.event, c.by, registers_.lane);
  if (step) {
    show_film_step(*step);
    return;
  }
  const bool on = c.by > 0;
  switch (c.event) {
    case FilmEvent::kLine:
      toasts_.say(on ? tr("Lane {} reaches no other line after this step.", registers_.lane)
                     : tr("Lane {} ran no other line before this step.", registers_.lane),
                  now());
      break;
    case FilmEvent::kAccess:
      toasts_.say(on ? tr("There is no access after this step.")
                     : tr("There is no access before this step."),
                  now());
      break;
    case FilmEvent::kDivergence:
      toasts_.say(on ? tr("The warp does not diverge after this step.")
                     : tr("The warp does not diverge before this step."),
                  now());
      break;
    case FilmEvent::kFinding:
      toasts_.say(on ? tr("Nothing wrong was found after this step of the warp.")
                     : tr("Nothing wrong was found before this step of the warp."),
                  now());
      break;
    default:
      break;
  }
}

void App::apply(const command::SeekFilm& c) {
  film_playing_ = false;
  show_film_step(c.step);
}

void App::apply(const command::PlayFilm&) {
  film_asked_ = true;
  show_panel("warp");
  if (!film_ || film_->steps.empty()) return;
  film_playing_ = !film_playing_;
  if (film_playing_ && film_step_ + 1 >= film_->steps.size()) show_film_step(0);
  film_due_s_ = now() + kStepSeconds;
}

void App::apply(const command::FilmToLine& c) {
  command::FilmToLine wanted = c;
  if (wanted.line <= 0) {
    if (!editor_.editor) return;
    wanted.line = static_cast<int>(editor_.editor->GetMainCursorPosition().line) + 1;
  }
  film_asked_ = true;
  if (!registers_.visible) show_panel("warp");  // either shows where the warp is
  if (film_ && !film_->steps.empty()) {
    run_to_line(wanted, film_step_);
  } else {
    film_to_line_ = wanted;  // from its first step once it is open
  }
}

void App::run_to_line(const command::FilmToLine& c, std::optional<size_t> from) {
  film_playing_ = false;
  if (const auto step = step_at_line(*film_, from, c.line, c.by)) return show_film_step(*step);
  const bool ever = step_at_line(*film_, std::nullopt, c.line, 1).has_value();
  const std::string code =
      editor_.editor
          ? compile::without_comments(editor_.editor->GetLineText(static_cast<size_t>(c.line - 1)))
          : "x";
  toasts_.say(trimmed(code).empty() ? tr("Line {} has no code.", c.line)
              : !ever ? tr("No instruction of this warp belongs to line {}: the compiler may have "
                           "merged it with another line.",
                           c.line)
              : c.by > 0 ? tr("The warp does not reach line {} after this step.", c.line)
                         : tr("The warp did not reach line {} before this step.", c.line),
              now());
}

void App::apply(const command::FilmOfFinding& c) {
  const lab::KernelRun* run = prepared_ && !view_.stale ? prepared_->result.student() : nullptr;
  if (!run || !run->films || c.finding >= run->findings.size()) return;
  const emulator::Finding& finding = run->findings[c.finding];
  const emulator::Dim3& at = finding.who.block;
  const uint32_t thread = linear_thread(finding.who.thread, run->block);
  const FilmOf wanted{run->films,
                      at.x + uint64_t{run->grid.x} * (at.y + uint64_t{run->grid.y} * at.z),
                      thread / 32};
  film_asked_ = true;
  show_panel("warp");
  if (!(wanted == film_of_) || !film_) {
    film_of_ = wanted;
    film_.reset();
    film_state_.reset();
    film_variables_.reset();
    film_leads_ = true;
    film_finding_ = c;
    film_worker_->open(wanted.source, wanted.block, wanted.warp);
    return;
  }
  // The finding's instruction executed by that thread,
  // preferably where the replay reports the same finding.
  const uint32_t lane = 1u << (thread % 32);
  std::optional<size_t> step;
  for (size_t n = 0; n < film_->steps.size(); ++n) {
    const emulator::ReplayStep& s = film_->steps[n];
    if (!(s.mask & lane) || film_->at(n).ptx_line != finding.ptx_line) continue;
    if (!step) step = n;
    if (s.flags & emulator::kStepFinding) {
      step = n;
      break;
    }
  }
  if (step) show_film_step(*step);
}

void App::apply(const command::FilmOfElement& c) {
  const lab::KernelRun* run = prepared_ && !view_.stale ? prepared_->result.student() : nullptr;
  if (!run || !run->films) return;
  film_asked_ = film_leads_ = film_seeks_writer_ = true;
  film_playing_ = false;
  film_finding_.reset();
  film_follows_.reset();
  show_panel("warp");
  film_of_ = {run->films, 0, 0};  // the warp is not known until it is found
  film_.reset();
  film_state_.reset();
  film_variables_.reset();
  film_worker_->open_writer(film_of_.source, c.output, c.element);
}

}  // namespace warpshop::ui
