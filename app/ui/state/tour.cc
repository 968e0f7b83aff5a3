#include "state/tour.h"

#include <algorithm>

#include "text/text.h"

namespace warpshop::ui {

const std::vector<TourStep>& tour_steps() {
  using F = const TourFacts&;
  static constexpr std::string_view kNoMap = tr_later(
      "There is no map yet: the kernel must compile, run and touch memory first. Go on with the "
      "task at your own pace; Findings says what is wrong with the text. The tour continues by "
      "itself.");
  static const std::vector<TourStep> steps = {
      {"open",
       tr_later("Open an exercise"),
       tr_later("A lab is a list of steps: some you read, in most you change a kernel. Click a "
                "lab, or press {} for the next step."),
       "next-step",
       "steps",
       {"first-lab", "steps"},
       [](F, F now) { return now.exercise; },
       [](F, F now) { return !now.home; },
       tr_later("A lab is a list of steps: some you read, such as this one, in most you change a "
                "kernel. Click one in the frame, or press {} for the next step.")},
      {"predict",
       tr_later("Say what you expect"),
       tr_later("Read the text on the left. Before the task come a few questions: click or type an "
                "answer to each. By the keyboard: {}, then Tab and Space. A wrong guess costs "
                "nothing; after the run you see why, and the text goes on."),
       "go-steps",
       "steps",
       {"question"},
       [](F, F now) { return now.answered; }},
      {"edit",
       tr_later("Change the kernel"),
       tr_later("This is your copy. Click into it, or press {}, and type something, if only a "
                "comment. When you pause, the kernel runs by itself; Run, at the top right, runs "
                "it at once. Ctrl+Z takes everything back."),
       "go-editor",
       "editor",
       {},
       [](F since, F now) {
         return now.edits > since.edits && now.results > since.results && now.map;
       },
       [](F since, F now) {
         return now.edits > since.edits && now.results > since.results && !now.map;
       },
       kNoMap},
      {"map",
       tr_later("Read the map"),
       tr_later("The row of colours is a warp, lane 0 to lane 31. Below it is what one access "
                "touches: global memory, orange where bytes are moved and not used, or the banks "
                "of shared memory. Click an arrow in the frame, or press {}, to see another "
                "access."),
       "next-access",
       "transactions",
       {"accesses", "shared-accesses"},
       [](F since, F now) { return now.looks > since.looks; },
       [](F, F now) { return !now.map; },
       kNoMap},
      {"checks",
       tr_later("How a step is passed"),
       tr_later("Each framed check stands for a figure of your kernel and the value it must reach; "
                "where there is room for its mark only, the mouse shows its name. When all of them "
                "pass, the step is passed. Counters has every figure ({} goes there), "
                "and Times says what they cost; times never decide."),
       "go-counters",
       "steps",
       {"checks"},
       nullptr},
      {"hint",
       tr_later("When you are stuck"),
       tr_later("Click the framed link below the checks, or press {}: you get one hint at a time, "
                "below the text."),
       "hint",
       "steps",
       {"hint"},
       [](F since, F now) { return now.hints > since.hints || now.no_hints_left; }},
      {"solution",
       tr_later("The solution comes last"),
       tr_later("Solution… compares a worked solution with your text, and says what each change "
                "gains. Leave it closed until you have tried and the hints are used up. Your own "
                "text is never lost. ({} finds it, too.)"),
       "palette",
       "steps",
       {"solution"},
       nullptr},
      {"home",
       tr_later("Find your way"),
       tr_later("Click Warpshop at the top left, or press {}: all labs, how far you are, and where "
                "you were. The menus above have every command."),
       "home",
       "top_bar",
       {"home"},
       [](F since, F now) { return now.homes > since.homes; }},
      {"end",
       tr_later("That is all"),
       tr_later("{} finds every command by its name, and each can have a key of your choice. This "
                "tour is in the Help menu."),
       "palette",
       "",
       {},
       [](F, F) { return false; }},
  };
  return steps;
}

void Tour::resume(std::string_view id, const TourFacts& now) {
  const std::vector<TourStep>& steps = tour_steps();
  const auto at =
      std::find_if(steps.begin(), steps.end(), [&](const TourStep& step) { return step.id == id; });
  const size_t before = step_;
  step_ = at == steps.end() || at + 1 == steps.end() ? 0 : static_cast<size_t>(at - steps.begin());
  // Brought back where it was left, it counts as before.
  if (step_ == 0 || step_ != before) first_ = now.exercise ? 1 : 0;
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

std::string_view Tour::text(const TourFacts& now) const {
  return step().elsewhere && step().elsewhere(since_, now) ? step().text_elsewhere : step().text;
}

bool Tour::update(const TourFacts& now) {
  if (!open_ || !step().done || !step().done(since_, now)) return false;
  skip(now);
  return true;
}

}  // namespace warpshop::ui
