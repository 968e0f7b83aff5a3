// The tour continues once the user has done what a step asks for, and not before.
#include "state/tour.h"

#include <gtest/gtest.h>

#include "app/actions.h"

namespace warpshop::ui {
namespace {

TEST(Tour, EveryStepWaitsForItsAction) {
  Tour tour;
  TourFacts facts;
  facts.edits = 5;  // before the tour: do not count
  tour.resume("", facts);
  struct Case {
    const char* step;
    void (*act)(TourFacts&);
  };
  const Case cases[] = {
      {"open", [](TourFacts& f) { f.exercise = true; }},
      {"predict", [](TourFacts& f) { f.answered = true; }},
      {"edit", [](TourFacts& f) { ++f.results; }},  // with a map
      {"map", [](TourFacts& f) { ++f.looks; }},
      {"checks", nullptr},
      {"hint", [](TourFacts& f) { ++f.hints; }},
      {"solution", nullptr},
      {"home", [](TourFacts& f) { ++f.homes; }},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(tour.step().id, c.step);
    EXPECT_FALSE(tour.update(facts)) << c.step;
    if (tour.step().id == "edit") {  // the edit must also have run
      ++facts.edits;
      EXPECT_FALSE(tour.update(facts));
      // The next step asks to click in the map: not while there is none.
      ++facts.results;
      EXPECT_FALSE(tour.update(facts));
      EXPECT_NE(tour.text(facts), tour.step().text) << "it says what is missing";
      facts.map = true;
    }
    if (c.act) {
      c.act(facts);
      EXPECT_TRUE(tour.update(facts)) << c.step;
    } else {  // only informs: nobody is sent to a panel or to the solution
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
  EXPECT_FALSE(tour.update(facts));  // does not continue while it is closed
  tour.resume("map", facts);
  EXPECT_FALSE(tour.update(facts));
  ++facts.looks;
  EXPECT_TRUE(tour.update(facts));
  // If it was finished, or saved by a later version, it starts from the beginning.
  for (const char* id : {"end", "what is this", ""}) {
    tour.resume(id, facts);
    EXPECT_EQ(tour.number(), 0u) << id;
  }
}

// A tour that starts in an exercise shows "1 of 8" first, not "2 of 9".
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

TEST(Tour, BroughtBackItCountsAsBefore) {
  Tour tour;
  TourFacts facts;
  facts.home = true;
  tour.resume("", facts);
  facts.exercise = true;
  EXPECT_TRUE(tour.update(facts));
  EXPECT_EQ(tour.number(), 1u);
  tour.leave();
  tour.resume("predict", facts);
  EXPECT_EQ(tour.number(), 1u);
  EXPECT_EQ(tour.count(), tour_steps().size());
}

// Inside a lab nobody is asked to click a lab.
TEST(Tour, TheFirstTextIsAboutThePageShown) {
  Tour tour;
  TourFacts facts;
  tour.resume("", facts);
  facts.home = true;
  const std::string_view home = tour.text(facts);
  facts.home = false;
  const std::string_view lab = tour.text(facts);
  EXPECT_NE(home.find("Click a lab"), std::string_view::npos);
  EXPECT_EQ(lab.find("Click a lab"), std::string_view::npos);
  EXPECT_NE(lab.find("{}"), std::string_view::npos) << "the key is named on both pages";
}

// With the keyboard alone: each step names a key.
TEST(Tour, EveryStepHasAKeyAndAPlaceForIt) {
  for (const TourStep& step : tour_steps()) {
    EXPECT_NE(find_action(step.action), nullptr) << step.id;
    EXPECT_FALSE(shortcut_of(step.action).empty()) << step.id;
    // A user who has just typed in the editor must not be told to press a letter, which would go
    // into the kernel.
    const std::string key = shortcut_anywhere(step.action);
    EXPECT_TRUE(key.find('+') != std::string::npos || key.starts_with("F"))
        << step.id << ": " << key;
  }
}

}  // namespace
}  // namespace warpshop::ui
