// The tour goes on when the thing was done, and not before.
#include "state/tour.h"

#include <gtest/gtest.h>

#include "app/actions.h"

namespace warpshop::ui {
namespace {

TEST(Tour, EveryStepWaitsForItsAction) {
  Tour tour;
  TourFacts facts;
  facts.edits = 5;  // done before the tour: that does not count
  tour.resume("", facts);
  struct Case {
    const char* step;
    void (*act)(TourFacts&);
  };
  const Case cases[] = {
      {"open", [](TourFacts& f) { f.exercise = true; }},
      {"predict", [](TourFacts& f) { f.answered = true; }},
      {"edit", [](TourFacts& f) { ++f.results; }},
      {"map", [](TourFacts& f) { ++f.looks; }},
      {"hint", [](TourFacts& f) { ++f.hints; }},
      {"solution", nullptr},
      {"home", [](TourFacts& f) { ++f.homes; }},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(tour.step().id, c.step);
    EXPECT_FALSE(tour.update(facts)) << c.step;
    if (tour.step().id == "edit") {  // an edit alone is not yet what its run says
      ++facts.edits;
      EXPECT_FALSE(tour.update(facts));
    }
    if (c.act) {
      c.act(facts);
      EXPECT_TRUE(tour.update(facts)) << c.step;
    } else {  // it only tells, and nobody is sent to the solution
      EXPECT_EQ(tour.step().done, nullptr);
      tour.skip(facts);
    }
  }
  EXPECT_TRUE(tour.finished());
  EXPECT_TRUE(tour.open());
  tour.skip(facts);
  EXPECT_FALSE(tour.open());
}

TEST(Tour, IsResumedWhereItWasLeft) {
  Tour tour;
  TourFacts facts;
  tour.resume("map", facts);
  EXPECT_EQ(tour.step().id, "map");
  tour.leave();
  facts.looks = 3;
  EXPECT_FALSE(tour.update(facts));  // while it is away nothing goes on
  tour.resume("map", facts);
  EXPECT_FALSE(tour.update(facts));
  ++facts.looks;
  EXPECT_TRUE(tour.update(facts));
  // Done, or from a later version: from the beginning.
  for (const char* id : {"end", "what is this", ""}) {
    tour.resume(id, facts);
    EXPECT_EQ(tour.number(), 0u) << id;
  }
}

// Who starts with an exercise sees "1 of 7" first, not "2 of 8".
TEST(Tour, CountsFromTheFirstStepThatIsShown) {
  Tour tour;
  TourFacts facts;
  tour.resume("", facts);
  EXPECT_EQ(tour.number(), 0u);
  EXPECT_EQ(tour.count(), tour_steps().size());
  facts.exercise = true;
  tour.resume("", facts);
  EXPECT_TRUE(tour.update(facts));
  EXPECT_EQ(tour.step().id, "predict");
  EXPECT_EQ(tour.number(), 0u);
  EXPECT_EQ(tour.count(), tour_steps().size() - 1);
  tour.resume("end", facts);
  EXPECT_EQ(tour.number(), 0u);
}

// By the keyboard alone: each step names a key that does it.
TEST(Tour, EveryStepHasAKeyAndAPlaceForIt) {
  for (const TourStep& step : tour_steps()) {
    EXPECT_NE(find_action(step.action), nullptr) << step.id;
    EXPECT_FALSE(shortcut_of(step.action).empty()) << step.id;
    // Who has just typed in the editor is not told to press a letter, which would be typed into the
    // kernel.
    const std::string key = shortcut_anywhere(step.action);
    EXPECT_TRUE(key.find('+') != std::string::npos || key.starts_with("F"))
        << step.id << ": " << key;
  }
}

}  // namespace
}  // namespace warpshop::ui
