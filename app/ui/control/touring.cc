#include "control/touring.h"

#include "panels/questions.h"
#include "text/text.h"

namespace warpshop::ui {
Touring::Touring(Shell& shell, Docks& docks, OpenWork& work)
    : shell_(shell), docks_(docks), work_(work), step_text_(shell.panels.of<StepTextState>()) {
  CommandTable& commands = shell.commands;
  commands.on([this](const command::ShowTour&) {
    if (tour_.open()) {
      leave();
    } else {
      resume();
    }
  });
  commands.on([this](const command::SkipTour&) {
    if (!tour_.open()) return;
    tour_.skip(shell_.facts);
    keep();
  });
  commands.on([this](const command::LeaveTour&) { leave(); });
}

void Touring::update() {
  TourFacts& facts = shell_.facts;
  const View& view = shell_.view;
  facts.home = docks_.home_open();
  facts.map = view.prepared && !view.stale && !view.prepared->accesses.entries.empty();
  facts.exercise = !docks_.home_open() && work_.has_kernel();
  facts.answered = facts.exercise && all_answered(*work_.session);
  const lab::StepProgress* progress =
      work_.session->step() ? work_.session->progress_of(*work_.session->step()) : nullptr;
  facts.no_hints_left =
      facts.exercise && (progress ? progress->hints_shown : 0) >=
                            static_cast<int>(work_.session->step()->exercise->hints.size());
  step_text_.questions.followed.framed =
      !shell_.lecture.on() && tour_.open() && tour_.step().id == "predict";
  if (!step_text_.questions.followed.framed) step_text_.questions.followed.brought = -1;
  if (!shell_.lecture.on() && tour_.update(facts)) keep();
}

void Touring::keep() {
  shell_.settings.tour = tour_.step().id;
  shell_.settings.tour_open = tour_.open();
  shell_.draw_frames(4);
  const std::string_view panel = tour_.step().panel;
  if (!tour_.open() || panel.empty() || panel == "top_bar") return;
  if (docks_.home_open()) return;
  // Show the panel that the step is about; "transactions" means the map of the selected access.
  const bool banks =
      panel == "transactions" && shell_.view.access() && shell_.view.access()->shared;
  docks_.show(banks ? "banks" : std::string(panel));
}

void Touring::begin() {
  shell_.facts.exercise = !docks_.home_open() && work_.has_kernel();
  resume();
}

void Touring::resume() {
  tour_.resume(shell_.settings.tour, shell_.facts);
  keep();
}

void Touring::leave() {
  const bool end = tour_.finished();
  tour_.leave();
  keep();
  if (!end) shell_.say(tr("Shift+F1 brings the tour back, where you left it."));
}

}  // namespace warpshop::ui
