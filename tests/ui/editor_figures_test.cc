#include <gtest/gtest.h>

#include "panels/line_figures.h"

namespace warpshop::ui {
namespace {

timing::SiteCounters site(uint64_t requests, uint64_t sectors, uint64_t ideal) {
  timing::SiteCounters s;
  s.executions = s.requests = requests;
  s.sectors = sectors;
  s.sectors_ideal = ideal;
  return s;
}

TEST(LineFigure, SaysSectorsOfOneRequest) {
  lab::LineCost cost;
  cost.load = site(2048, 8192, 8192);
  LineFigure figure = figure_of(cost);
  ASSERT_EQ(figure.parts.size(), 1u);
  EXPECT_EQ(figure.parts[0].text, "4");
  EXPECT_EQ(figure.parts[0].column, 0);
  EXPECT_FALSE(figure.waste());

  cost.store = site(2048, 65536, 8192);
  figure = figure_of(cost);
  ASSERT_EQ(figure.parts.size(), 2u);
  EXPECT_EQ(figure.parts[0].text, "4");
  EXPECT_FALSE(figure.parts[0].waste);
  EXPECT_EQ(figure.parts[1].text, "32");
  EXPECT_EQ(figure.parts[1].column, 0);
  EXPECT_TRUE(figure.parts[1].waste);
}

TEST(LineFigure, SaysWavefrontsOfSharedMemory) {
  lab::LineCost cost;
  cost.shared.executions = 10;
  cost.shared.wavefronts = 320;
  cost.shared.wavefronts_ideal = 10;
  const LineFigure figure = figure_of(cost);
  ASSERT_EQ(figure.parts.size(), 1u);
  EXPECT_EQ(figure.parts[0].text, "32");
  EXPECT_EQ(figure.parts[0].column, 1);
  EXPECT_TRUE(figure.waste());
}

// On a GTX 280 a coalesced load of floats takes one transaction per half-warp, and a shared memory
// access takes one pass per half-warp.
TEST(LineFigure, SaysTransactionsAndPassesOfAChipWithRulesOfItsOwn) {
  lab::LineCost cost;
  cost.load = site(100, 400, 400);
  cost.chip_load = {.accesses = 100, .transactions = 200, .bytes = 12800, .ideal_bytes = 12800};
  cost.chip_shared = {.accesses = 100, .passes = 3200, .parts = 200};
  const LineFigure figure = figure_of(cost, true);
  ASSERT_EQ(figure.parts.size(), 2u);
  EXPECT_EQ(figure.parts[0].text, "2");
  EXPECT_FALSE(figure.parts[0].waste);
  EXPECT_EQ(figure.parts[1].text, "32");
  EXPECT_TRUE(figure.parts[1].waste);
  EXPECT_STREQ(columns_of(LineMeasure::kMemory, true)[0], "trans");
  EXPECT_STREQ(columns_of(LineMeasure::kMemory, true)[1], "pass");
  EXPECT_STREQ(columns_of(LineMeasure::kMemory, false)[0], "sect");
}

// The compiler combines four loads of a float into one of 16 bytes: 3 wavefronts instead of 4.
TEST(LineFigure, SaysWhyWavefrontsAreBelowOne) {
  lab::LineCost cost;
  cost.shared.executions = 4000;
  cost.shared.requests = 1000;
  cost.shared.wavefronts = cost.shared.wavefronts_ideal = 3000;
  EXPECT_EQ(figure_of(cost).parts[0].text, "0.8");
  EXPECT_NE(figure_of(cost).detail.find("for 4,000 in the source, warps issue 1,000"),
            std::string::npos)
      << figure_of(cost).detail;
  cost.shared.requests = 4000;
  EXPECT_TRUE(figure_of(cost).detail.empty());
}

TEST(LineFigure, RoundsToATenthAndIsEmptyWithoutMemory) {
  lab::LineCost cost;
  EXPECT_TRUE(figure_of(cost).parts.empty());
  cost.load = site(3, 14, 12);
  EXPECT_EQ(figure_of(cost).parts[0].text, "4.7");
}

// Two warps: line 3 with all lanes, line 5 with half of them.
lab::RunResult two_lines() {
  lab::RunResult result;
  lab::KernelRun& run = result.sizes.emplace_back().student;
  run.lines.resize(3);
  run.lines[0].line = 3;
  run.lines[0].warp_instructions = 400;
  run.lines[0].lane_instructions = 400 * 32;
  run.lines[1].line = 5;
  run.lines[1].warp_instructions = 1200;
  run.lines[1].lane_instructions = 1200 * 16;
  run.lines[2].line = 6;  // never reached
  return result;
}

TEST(LineFigures, ExecutedInstructionsAreHeatByTheLineWithMost) {
  const auto figures = line_figures(two_lines(), LineMeasure::kExecuted);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures.at(5).parts[0].text, "1,200");
  EXPECT_DOUBLE_EQ(figures.at(5).heat, 1);
  EXPECT_DOUBLE_EQ(figures.at(3).heat, 1.0 / 3);
  EXPECT_FALSE(figures.at(5).waste());
}

TEST(LineFigures, LanesThatStandByAreSaid) {
  const auto figures = line_figures(two_lines(), LineMeasure::kLanes);
  EXPECT_EQ(figures.at(3).parts[0].text, "32");
  EXPECT_FALSE(figures.at(3).waste());
  EXPECT_EQ(figures.at(5).parts[0].text, "16");
  EXPECT_TRUE(figures.at(5).waste());
}

// Of 150 cycles, 50 issue. Of the other 100, 75 belong to line 3 (60 of them wait for memory) and 5
// to no line.
TEST(LineFigures, WaitingIsSharedAmongTheLinesThatWait) {
  lab::RunResult result = two_lines();
  EXPECT_TRUE(line_figures(result, LineMeasure::kStalls).empty()) << "nothing is predicted";
  timing::WarpTimeline& warp =
      result.sizes[0].student.prediction.emplace().timelines.emplace_back();
  const auto add = [&](double cycles, timing::WarpState state, int line) {
    timing::WarpInterval interval;
    interval.cycles = cycles;
    interval.state = state;
    interval.source.line = line;
    warp.intervals.push_back(interval);
  };
  add(50, timing::WarpState::kSelected, 3);
  add(60, timing::WarpState::kLongScoreboard, 3);
  add(15, timing::WarpState::kWait, 3);
  add(20, timing::WarpState::kBarrier, 5);
  add(5, timing::WarpState::kWait, 0);
  const auto figures = line_figures(result, LineMeasure::kStalls);
  ASSERT_EQ(figures.size(), 2u);
  EXPECT_EQ(figures.at(3).parts[0].text, "75%");
  EXPECT_TRUE(figures.at(3).waste());
  EXPECT_EQ(figures.at(5).parts[0].text, "20%");
  EXPECT_NE(figures.at(3).detail.find("80%"), std::string::npos) << figures.at(3).detail;
}

TEST(LineMeasures, SettingsNameThem) {
  for (const LineMeasure measure : kLineMeasures)
    EXPECT_EQ(line_measure_of(id_of(measure)), measure);
  EXPECT_EQ(line_measure_of("of a later version"), LineMeasure::kMemory);
}

}  // namespace
}  // namespace warpshop::ui
