// The tour on the first run: shows one thing at a time,
// and goes on when the student has done it. No drawing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpshop::ui {

// What the student has done so far. Numbers only grow.
struct TourFacts {
  bool home = false;      // the page of all labs is open
  bool exercise = false;  // a step with a kernel is open
  bool answered = false;  // every question of the step is answered
  int edits = 0;
  int runs = 0;      // requested and finished
  int results = 0;   // results shown, of any run
  bool map = false;  // the newest text has run and touched memory
  int looks = 0;     // times an access was selected on the maps, or asked for
  int hints = 0;
  bool no_hints_left = false;
  int homes = 0;  // times the page of all labs was opened
};

struct TourStep {
  std::string_view id;      // stable, since it is stored in the settings
  std::string_view title;   // a text of the catalogue, as `text` is
  std::string_view text;    // {} is the key of `action`
  std::string_view action;  // id in the registry; "": none
  std::string_view panel;   // the panel it is about: its id, or "top_bar"
  // What to click, see draw/spots.h: the first one that is visible.
  std::array<std::string_view, 2> spots;
  // Null: there is nothing to do, and a button goes on.
  bool (*done)(const TourFacts& since, const TourFacts& now);
  // Said in place of `text` where that would not fit; null: it always does.
  bool (*elsewhere)(const TourFacts& since, const TourFacts& now) = nullptr;
  std::string_view text_elsewhere = {};

  // Not about a panel that the page of all labs hides.
  bool is_for_home() const { return id == "open" || panel.empty() || panel == "top_bar"; }
};
const std::vector<TourStep>& tour_steps();

class Tour {
 public:
  // `id`: where the tour was left; "" or an unknown id starts it.
  void resume(std::string_view id, const TourFacts& now);
  void leave() { open_ = false; }
  void skip(const TourFacts& now);
  // Goes on if the step is done. True if it did.
  bool update(const TourFacts& now);

  bool open() const { return open_; }
  bool finished() const { return step_ + 1 == tour_steps().size(); }  // at its last step
  // The step's number, from 0, and the number of steps. The first step does not count if an
  // exercise was open from the start.
  size_t number() const { return step_ - std::min(step_, first_); }
  size_t count() const { return tour_steps().size() - first_; }
  const TourStep& step() const { return tour_steps()[step_]; }
  std::string_view text(const TourFacts& now) const;  // of the step, as things are

 private:
  size_t step_ = 0, first_ = 0;
  bool open_ = false;
  TourFacts since_;
};

}  // namespace warpshop::ui
