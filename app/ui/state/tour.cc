#include "state/tour.h"

#include <algorithm>

#include "text/text.h"

namespace warpshop::ui {

const std::vector<TourStep>& tour_steps() {
  using F = const TourFacts&;
  static const std::vector<TourStep> steps = {
      {"open", tr_later("Open an exercise"),
       tr_later("A lab is a list of steps. Some are for reading, some have a kernel to write. Go to the next one with {}, or "
                "click its name."),
       "next-step", "steps", [](F, F now) { return now.exercise; }},
      {"predict", tr_later("Say what you expect"),
       tr_later("Read the text; the questions stand at its end. Say what the kernel will do before it runs. Tab goes from "
                "answer to answer, Space chooses one. A wrong answer teaches more than none."),
       "go-steps", "steps", [](F, F now) { return now.answered; }},
      {"edit", tr_later("Change the kernel"),
       tr_later("This is your copy. Go to it with {} and type something, if only a comment. Everything is kept, and "
                "Ctrl+Z takes it back."),
       "go-editor", "editor", [](F since, F now) { return now.edits > since.edits; }},
      {"run", tr_later("Run it"),
       tr_later("Press {}. No GPU is needed: every thread of the kernel runs here, and every access is checked and "
                "counted."),
       "run", "top_bar", [](F since, F now) { return now.runs > since.runs; }},
      {"map", tr_later("Read the map"),
       tr_later("The row of colours is a warp: lane 0 to lane 31. Below lies the memory that one of its accesses touches; "
                "orange is moved and not used. Go to another access with {}."),
       "next-access", "transactions", [](F since, F now) { return now.looks > since.looks; }},
      {"hint", tr_later("Ask for a hint"), tr_later("Stuck? {} shows one hint at a time, below the text."), "hint", "steps",
       [](F since, F now) { return now.hints > since.hints || now.no_hints_left; }},
      {"solution", tr_later("The solution is behind a question"),
       tr_later("It is beside your own text, with what it changes in each counter. Find “Compare with the solution” among "
                "all actions with {}. Esc leaves it."),
       "palette", "steps", [](F since, F now) { return now.solution_questions > since.solution_questions; }},
      {"end", tr_later("That is all"),
       tr_later("Whatever can be done is found with {}, and has a key that you can change. This tour is there, too."), "palette",
       "", [](F, F) { return false; }},
  };
  return steps;
}

void Tour::resume(std::string_view id, const TourFacts& now) {
  const std::vector<TourStep>& steps = tour_steps();
  const auto at = std::find_if(steps.begin(), steps.end(), [&](const TourStep& step) { return step.id == id; });
  step_ = at == steps.end() || at + 1 == steps.end() ? 0 : static_cast<size_t>(at - steps.begin());
  first_ = now.exercise ? 1 : 0;
  since_ = now;
  open_ = true;
}

void Tour::skip(const TourFacts& now) {
  since_ = now;
  if (finished()) {
    open_ = false;
  } else {
    ++step_;
  }
}

bool Tour::update(const TourFacts& now) {
  if (!open_ || !step().done(since_, now)) return false;
  skip(now);
  return true;
}

}  // namespace warpshop::ui
