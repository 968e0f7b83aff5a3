#include "state/lecture.h"

#include <gtest/gtest.h>

#include "app/actions.h"
#include "demo.h"

namespace warpshop::ui {
namespace {

lab::Scene scene(const char* title, const char* ask = "?") {
  lab::Scene s;
  s.title = title;
  s.ask = ask;
  return s;
}

lab::PublishedFigure gb_s(double value) { return {"somebody", value, "GB/s", "a lecture"}; }

TEST(Lecture, AKernelBeginsBehindItsComments) {
  lab::Scene s;
  s.source = "// What it does.\n// Twice.\n\n__global__ void k() {}\n__global__ void other() {}\n";
  EXPECT_EQ(kernel_line(s), 4);
  s.source = "__global__ void k() {}\n";
  EXPECT_EQ(kernel_line(s), 1);
  s.source = "// nothing\n";
  EXPECT_EQ(kernel_line(s), 1);
}

TEST(Lecture, OnlyWhatTheClassHasSeenIsCompared) {
  lab::Lab lab;
  lab.demo.emplace();
  for (const char* title : {"one", "two", "three", "four"})
    lab.demo->scenes.push_back(scene(title));
  lab.demo->scenes[0].published = gb_s(17);
  lab.demo->scenes[2].published = gb_s(76);
  lab.demo->scenes[3].published = lab::PublishedFigure{"time", 3, "µs", "a lecture"};
  Lecture lecture;
  lecture.lab = &lab;
  EXPECT_TRUE(seen_figures(lecture).empty()) << "hidden as the scene's answer is";
  lecture.revealed = true;
  ASSERT_EQ(seen_figures(lecture).size(), 1U);
  EXPECT_TRUE(seen_figures(lecture)[0].now);
  lecture.scene = 1;
  lecture.revealed = false;
  ASSERT_EQ(seen_figures(lecture).size(), 1U);
  EXPECT_FALSE(seen_figures(lecture)[0].now);
  lecture.scene = 2;
  lecture.revealed = true;
  ASSERT_EQ(seen_figures(lecture).size(), 2U);
  EXPECT_EQ(seen_figures(lecture)[1].figure->value, 76);
  EXPECT_TRUE(seen_figures(lecture)[1].now);
  lecture.scene = 3;
  ASSERT_EQ(seen_figures(lecture).size(), 1U) << "microseconds are not compared with GB/s";
  EXPECT_EQ(seen_figures(lecture)[0].figure->unit, "µs");
}

TEST(Lecture, FiguresOfAnotherStepAreNotShownBesideANumber) {
  lab::Lab lab;
  lab.demo.emplace();
  for (const char* step : {"copy", "copy", "sum", "sum"}) {
    lab.demo->scenes.push_back(scene(step));
    lab.demo->scenes.back().step = step;
  }
  lab.demo->scenes[0].published = gb_s(17);
  lab.demo->scenes[3].published = gb_s(76);
  Lecture lecture;
  lecture.lab = &lab;
  lecture.scene = 1;
  EXPECT_EQ(seen_figures(lecture).size(), 1U);
  lecture.scene = 2;
  EXPECT_TRUE(seen_figures(lecture).empty());
  lecture.scene = 3;
  EXPECT_EQ(seen_figures(lecture).size(), 1U) << "its own is about to be compared";
}

// Scenes are compared on the scale of the slowest, whichever the class has seen.
TEST(Lecture, TheSlowestLoadIsTheScriptsOnTheSameGpu) {
  lab::Lab lab;
  lab.demo.emplace();
  lab.demo->scenes = {scene("map"), scene("camps"), scene("spreads"), scene("today")};
  for (const size_t at : {1, 2, 3}) lab.demo->scenes[at].panel = "partitions";
  for (const size_t at : {0, 1, 2}) lab.demo->scenes[at].gpu = "gtx-280";
  lab.demo->scenes[1].expect = "4.5";
  lab.demo->scenes[2].expect = "1.1";
  lab.demo->scenes[3].expect = "7";
  Lecture lecture;
  lecture.lab = &lab;
  for (const size_t at : {0, 1, 2}) {
    lecture.scene = at;
    EXPECT_EQ(slowest_load(lecture), 4.5);
  }
  lab.demo->scenes[3].gpu = "h200";
  lab.demo->scenes[3].expect = "";
  lecture.scene = 3;
  EXPECT_EQ(slowest_load(lecture), 1);
}

TEST(Lecture, ASceneWithoutAQuestionHidesNothing) {
  lab::Lab lab;
  lab.demo.emplace();
  lab.demo->scenes = {scene("one", ""), scene("two")};
  Lecture lecture;
  lecture.lab = &lab;
  EXPECT_FALSE(lecture.hidden());
  lecture.scene = 1;
  EXPECT_TRUE(lecture.hidden());
}

TEST(Lecture, ASceneShowsTheAccessOfItsLineAndKind) {
  lab::RunResult result;
  result.gpu.capability = {9, 0};
  result.sizes.emplace_back();
  result.sizes.front().student = demo::transpose_run(64, 7, 7);
  const AccessIndex index = index_accesses(*result.student());
  lab::Scene s = scene("both on one line");
  s.line = 7;
  s.access.kind = emulator::AccessKind::kLoad;
  const auto load = scene_access(s, index, result);
  ASSERT_TRUE(load);
  EXPECT_EQ(index.entries[*load].kind, emulator::AccessKind::kLoad);
  EXPECT_EQ(*load, 0U) << "of the first warp";
  s.access.kind = emulator::AccessKind::kStore;
  EXPECT_EQ(index.entries[*scene_access(s, index, result)].kind, emulator::AccessKind::kStore);
  EXPECT_EQ(index.entries[*scene_access(s, index, result)].cost, 32);
  s.line = 99;  // after an edit by the lecturer
  EXPECT_EQ(index.entries[*scene_access(s, index, result)].cost, 32) << "the costliest of all";
  s.show = lab::Scene::Show::kBanks;
  EXPECT_FALSE(scene_access(s, index, result)) << "there is no access to shared memory";
}

TEST(Lecture, APanelThatIsBroughtTakesTheMapsPlace) {
  lab::Lab lab;
  lab.demo.emplace();
  lab.demo->scenes = {scene("one"), scene("two", "")};
  lab.demo->scenes[1].show = lab::Scene::Show::kPanel;
  lab.demo->scenes[1].panel = "dram";
  Lecture lecture;
  lecture.lab = &lab;
  EXPECT_EQ(lecture.panel(), "curtain");
  lecture.brought = "partitions";
  EXPECT_EQ(lecture.panel(), "partitions") << "also before the answer";
  lecture.brought.clear();
  lecture.revealed = true;
  EXPECT_EQ(lecture.panel(), "transactions");
  lecture.scene = 1;
  lecture.revealed = false;
  EXPECT_EQ(lecture.panel(), "dram") << "nothing is asked, nothing is hidden";
}

TEST(Lecture, EveryPanelOfAScriptIsOneThatAKeyBrings) {
  for (const std::string_view panel : lab::kScenePanels)
    EXPECT_NE(find_action("go-" + std::string(panel)), nullptr) << panel;
}

}  // namespace
}  // namespace warpshop::ui
