#include "maps/timeline_rows.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

using timing::WarpState;

// From cycle 10: 1 cycle issuing, 99 waiting for a load, then ten times 1 issuing and 9 waiting.
timing::WarpTimeline example() {
  timing::WarpTimeline line;
  double at = 10;
  const auto add = [&](double cycles, WarpState state) {
    line.intervals.push_back({.start_cycle = at, .cycles = cycles, .state = state});
    at += cycles;
  };
  add(1, WarpState::kSelected);
  add(99, WarpState::kLongScoreboard);
  for (int i = 0; i < 10; ++i) {
    add(1, WarpState::kSelected);
    add(9, WarpState::kWait);
  }
  return line;  // ends at cycle 210
}

TEST(TimelineRows, EveryCycleIsDrawnWhereThereIsRoom) {
  const auto spans = timeline_spans(example(), 10, 210, 2000, 1);  // 10 pixels per cycle
  ASSERT_EQ(spans.size(), 22U);
  EXPECT_EQ(spans[0].state, WarpState::kSelected);
  EXPECT_FLOAT_EQ(spans[0].to, 10);
  EXPECT_EQ(spans[1].state, WarpState::kLongScoreboard);
  EXPECT_FLOAT_EQ(spans[1].to, 1000);
  EXPECT_FLOAT_EQ(spans.back().to, 2000);
}

TEST(TimelineRows, SpansCoverWhatIsInSightWithoutGaps) {
  struct Case {
    double begin, end;
    float width, least;
  };
  for (const Case& c : {Case{10, 210, 2000, 1}, Case{10, 210, 100, 2}, Case{10, 210, 37, 3},
                        Case{57.5, 130.25, 300, 1.25f}, Case{205, 210, 50, 1}}) {
    const auto spans = timeline_spans(example(), c.begin, c.end, c.width, c.least);
    ASSERT_FALSE(spans.empty());
    EXPECT_NEAR(spans.front().from, 0, 1e-3);
    EXPECT_NEAR(spans.back().to, c.width, 1e-2);
    for (size_t i = 1; i < spans.size(); ++i) {
      EXPECT_NEAR(spans[i].from, spans[i - 1].to, 1e-2);
      EXPECT_NE(spans[i].state, spans[i - 1].state) << "neighbours of one state are one";
    }
  }
}

// At ten cycles per pixel the second half is all waiting; with an issue every three cycles it is
// issue.
TEST(TimelineRows, WhatIsTooNarrowTakesTheStateOfMostOfItsTime) {
  const auto spans = timeline_spans(example(), 110, 210, 10, 1.25f);
  ASSERT_EQ(spans.size(), 1U);
  EXPECT_EQ(spans[0].state, WarpState::kWait);

  timing::WarpTimeline busy;
  for (int i = 0; i < 100; ++i) {
    busy.intervals.push_back({.start_cycle = i * 3.0, .cycles = 1, .state = WarpState::kSelected});
    busy.intervals.push_back({.start_cycle = i * 3.0 + 1, .cycles = 2, .state = WarpState::kWait});
  }
  for (const TimelineSpan& span : timeline_spans(busy, 0, 300, 30, 1.25f)) {
    EXPECT_EQ(span.state, WarpState::kSelected);
  }
}

TEST(TimelineRows, NothingIsDrawnOutsideTheTimeline) {
  EXPECT_TRUE(timeline_spans(example(), 210, 300, 100, 1).empty());
  EXPECT_TRUE(timeline_spans(example(), 0, 10, 100, 1).empty());
  const auto spans = timeline_spans(example(), 0, 20, 100, 1);
  EXPECT_NEAR(spans.front().from, 50, 1e-3) << "it begins at cycle 10";
}

TEST(TimelineRows, TheIntervalOfACycle) {
  const timing::WarpTimeline line = example();
  EXPECT_EQ(interval_at(line, 9.5), nullptr);
  EXPECT_EQ(interval_at(line, 10.5), &line.intervals[0]);
  EXPECT_EQ(interval_at(line, 11), &line.intervals[1]);
  EXPECT_EQ(interval_at(line, 209), &line.intervals.back());
  EXPECT_EQ(interval_at(line, 210), nullptr);
}

TEST(TimelineRows, MarksStandAtRoundNumbers) {
  struct Case {
    double span;
    int most;
    double distance;
  };
  for (const Case& c : {Case{8, 10, 1}, Case{100, 10, 10}, Case{100, 9, 20}, Case{2400, 10, 500},
                        Case{2400, 12, 200}, Case{1e6, 10, 1e5}, Case{50, 0, 50}}) {
    EXPECT_DOUBLE_EQ(mark_distance(c.span, c.most), c.distance) << c.span << " in " << c.most;
  }
}

}  // namespace
}  // namespace warpshop::ui
