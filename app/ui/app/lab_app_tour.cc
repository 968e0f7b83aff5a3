// Advances the tour when the student has done what it asks for.
#include "app/lab_app.h"
#include "panels/questions.h"
#include "text/text.h"

namespace warpshop::ui {

void App::update_tour() {
  facts_.exercise = !home_.open && session_->step() && session_->step()->exercise;
  facts_.answered = facts_.exercise && all_answered(*session_);
  const lab::StepProgress* progress =
      session_->step() ? session_->progress_of(*session_->step()) : nullptr;
  facts_.no_hints_left =
      facts_.exercise && (progress ? progress->hints_shown : 0) >=
                             static_cast<int>(session_->step()->exercise->hints.size());
  step_text_.answer.framed = !lecture_.on() && tour_.open() && tour_.step().id == "predict";
  if (!step_text_.answer.framed) step_text_.answer.brought = -1;
  if (lecture_.on()) return;
  if (tour_.update(facts_)) keep_tour();
}

void App::keep_tour() {
  settings_.tour = tour_.step().id;
  settings_.tour_open = tour_.open();
  frames_due_ = std::max(frames_due_, 4);
  const std::string_view panel = tour_.step().panel;
  if (!tour_.open() || panel.empty() || panel == "top_bar") return;
  if (home_.open) return;
  // Show the panel that the step is about; "transactions" means the map of the selected access.
  const bool banks = panel == "transactions" && view_.access() && view_.access()->shared;
  show_panel(banks ? "banks" : std::string(panel));
}

void App::apply(const command::ShowTour&) {
  if (tour_.open()) {
    apply(command::LeaveTour{});
    return;
  }
  tour_.resume(settings_.tour, facts_);
  keep_tour();
}

void App::apply(const command::SkipTour&) {
  if (!tour_.open()) return;
  tour_.skip(facts_);
  keep_tour();
}

void App::apply(const command::LeaveTour&) {
  const bool end = tour_.finished();
  tour_.leave();
  keep_tour();
  if (!end) toasts_.say(tr("Shift+F1 brings the tour back, where you left it."), now());
}

}  // namespace warpshop::ui
