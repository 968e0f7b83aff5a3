#include <gtest/gtest.h>

#include "panels/editor_panel.h"

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
  EXPECT_EQ(figure.parts[0].text, "4 sect");
  EXPECT_FALSE(figure.waste());

  cost.store = site(2048, 65536, 8192);
  figure = figure_of(cost);
  ASSERT_EQ(figure.parts.size(), 2u);
  EXPECT_EQ(figure.parts[0].text, "load 4");
  EXPECT_FALSE(figure.parts[0].waste);
  EXPECT_EQ(figure.parts[1].text, "store 32");
  EXPECT_TRUE(figure.parts[1].waste);
}

TEST(LineFigure, SaysWavefrontsOfSharedMemory) {
  lab::LineCost cost;
  cost.shared.executions = 10;
  cost.shared.wavefronts = 320;
  cost.shared.wavefronts_ideal = 10;
  const LineFigure figure = figure_of(cost);
  ASSERT_EQ(figure.parts.size(), 1u);
  EXPECT_EQ(figure.parts[0].text, "32 wave");
  EXPECT_TRUE(figure.waste());
}

TEST(LineFigure, RoundsToATenthAndIsEmptyWithoutMemory) {
  lab::LineCost cost;
  EXPECT_TRUE(figure_of(cost).parts.empty());
  cost.load = site(3, 14, 12);
  EXPECT_EQ(figure_of(cost).parts[0].text, "4.7 sect");
}

}  // namespace
}  // namespace warpshop::ui
