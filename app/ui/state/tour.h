// The tour of the first run: it says one thing at a time, and goes on when the thing was done. No
// drawing.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace warpshop::ui {

// What a student may have done by now. Numbers only grow.
struct TourFacts {
  bool exercise = false;  // a step with a kernel is open
  bool answered = false;  // every question of the step
  int edits = 0;
  int runs = 0;     // asked for, and finished
  int results = 0;  // of any run, shown
  int looks = 0;    // another access on the maps
  int hints = 0;
  bool no_hints_left = false;
  int homes = 0;  // the page of all labs was opened
};

struct TourStep {
  std::string_view id;      // stable: it is kept in the settings
  std::string_view title;   // a text of the catalogue, as `text` is
  std::string_view text;    // {} is the key of `action`
  std::string_view action;  // of the registry; "" for none
  std::string_view panel;   // that it is about: its id, or "top_bar"
  std::array<std::string_view, 2>
      spots;  // what is clicked, see draw/spots.h: the first that is in sight
  bool (*done)(const TourFacts& since,
               const TourFacts& now);  // null: it asks for nothing, and a button goes on
};
const std::vector<TourStep>& tour_steps();

class Tour {
 public:
  // `id`: where it was left; "" begins. An id that is not known begins, too.
  void resume(std::string_view id, const TourFacts& now);
  void leave() { open_ = false; }
  void skip(const TourFacts& now);
  // Goes on where the step is done. True when it went on.
  bool update(const TourFacts& now);

  bool open() const { return open_; }
  bool finished() const { return step_ + 1 == tour_steps().size(); }  // its last step says so
  // From 0, and of how many: the first step is none where an exercise was open from the start.
  size_t number() const { return step_ - std::min(step_, first_); }
  size_t count() const { return tour_steps().size() - first_; }
  const TourStep& step() const { return tour_steps()[step_]; }

 private:
  size_t step_ = 0, first_ = 0;
  bool open_ = false;
  TourFacts since_;
};

}  // namespace warpshop::ui
