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
  struct Case { const char* step; void (*act)(TourFacts&); };
  const Case cases[] = {
      {"open", [](TourFacts& f) { f.exercise = true; }},   {"predict", [](TourFacts& f) { f.answered = true; }},
      {"edit", [](TourFacts& f) { ++f.edits; }},           {"run", [](TourFacts& f) { ++f.runs; }},
      {"map", [](TourFacts& f) { ++f.looks; }},            {"hint", [](TourFacts& f) { ++f.hints; }},
      {"solution", [](TourFacts& f) { ++f.solution_questions; }},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(tour.step().id, c.step);
    EXPECT_FALSE(tour.update(facts)) << c.step;
    c.act(facts);
    EXPECT_TRUE(tour.update(facts)) << c.step;
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

// By the keyboard alone: each step names a key that does it.
TEST(Tour, EveryStepHasAKeyAndAPlaceForIt) {
  for (const TourStep& step : tour_steps()) {
    EXPECT_NE(find_action(step.action), nullptr) << step.id;
    EXPECT_FALSE(shortcut_of(step.action).empty()) << step.id;
  }
}

}  // namespace
}  // namespace warpshop::ui
