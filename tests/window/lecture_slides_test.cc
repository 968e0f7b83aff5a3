// Slides that say one thing: the keys of a lecture are always its own, a picture is never pushed
// out by words, and what no longer applies is not shown.
#include <algorithm>
#include <bit>
#include <cmath>
#include <numeric>
#include <set>
#include <string>

#include "imgui_internal.h"
#include "lecture_driver.h"
#include "text_check.h"
#include "window/layout.h"

namespace warpshop::ui {
namespace {

class Slides : public LectureDriver {
 protected:
  void reveal(ImGuiTestContext* ctx, size_t scene) {
    app().send(command::GoToScene{scene});
    ctx->Yield(3);
    wait_for_result(ctx);
    if (app().lecture().hidden()) app().send(command::Advance{});
    wait_until(ctx, [this] { return !app().predicting(); });
    ctx->Yield(6);
  }
  static void click_into_the_kernel(ImGuiTestContext* ctx) {
    const ImGuiWindow* code = panel_window("editor");
    ctx->MouseMoveToPos({code->Pos.x + code->Size.x / 2, code->Pos.y + code->Size.y / 2});
    ctx->MouseClick();
    ctx->Yield(3);
  }
};

TEST_F(Slides, AKeyOfThePresenterLeavesTheKernelEvenIfThereIsNoSuchScene) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    for (const bool last : {false, true}) {
      reveal(ctx, last ? app().lecture().demo().scenes.size() - 1 : 0);
      click_into_the_kernel(ctx);
      const std::string text = app().session().text();
      IM_CHECK(app().view().lecture != nullptr);
      IM_CHECK(ctx->UiContext->IO.WantTextInput);
      ctx->KeyPress(last ? ImGuiKey_PageDown : ImGuiKey_PageUp);
      ctx->Yield(3);
      ctx->KeyChars("x");
      ctx->Yield(3);
      IM_CHECK_STR_EQ(app().session().text().c_str(), text.c_str());
    }
  });
}

TEST_F(Slides, TheWindowsZoomIsNotTheLectures) {
  UiOptions large;
  large.zoom = 1.5f;
  open("roofline", "", large);
  walk([this](ImGuiTestContext* ctx) {
    EXPECT_EQ(app().settings().zoom, 1.5f);
    begin(ctx);
    EXPECT_EQ(app().settings().lecture_zoom, 1);
  });
}

// The axis below the chart is in sight, on every screen and magnified; no words are cut.
TEST_F(Slides, TheRooflineKeepsItsPicture) {
  const struct {
    int width, height;
    float zoom;
  } kScreens[] = {{1600, 1000, 1}, {1920, 1080, 1}, {1600, 1000, 1.5f}, {1920, 1080, 1.5f}};
  open("roofline", "");
  walk([&, this](ImGuiTestContext* ctx) {
    begin(ctx);
    for (size_t scene = 0; scene < app().lecture().demo().scenes.size(); ++scene) {
      reveal(ctx, scene);
      if (app().lecture().panel() != "roofline") continue;
      for (const auto& screen : kScreens) {
        app().send(command::Zoom{screen.zoom});
        resize(ctx, screen.width, screen.height);
        const std::string where = "scene " + std::to_string(scene + 1) + " on " +
                                  std::to_string(screen.width) + " at " +
                                  std::to_string(screen.zoom);
        bool axis = false;
        for (const DrawnText& text : texts_of_frame(ctx)) {
          if (text.window.find("###roofline") == std::string::npos) continue;
          EXPECT_FALSE(text.cut) << where << ": " << text.text;
          EXPECT_FALSE(text.scrolls_y && text.max.y > text.room_max.y + 1)
              << where << ": below the edge: " << text.text;
          EXPECT_EQ(text.text.find("not a roof"), std::string::npos) << where;
          axis |= text.text.find(" per byte →") != std::string::npos;
        }
        EXPECT_TRUE(axis) << where;
      }
    }
  });
}

// Nobody in the hall can scroll: charts and warps are all in sight, in German as well.
TEST_F(Slides, ChartsOfMemoryAndWarpsFitOnTheSlide) {
  for (const char* language : {"en", "de"}) {
    UiOptions options;
    options.language = language;
    reopen("tiling", "", options);
    walk([&, this](ImGuiTestContext* ctx) {
      begin(ctx);
      resize(ctx, 1920, 1080);
      for (size_t scene = 0; scene < app().lecture().demo().scenes.size(); ++scene) {
        const std::string panel = app().lecture().demo().scenes[scene].panel;
        if (panel != "memory" && panel != "schedulers") continue;
        reveal(ctx, scene);
        std::set<std::string> seen;
        for (const DrawnText& text : texts_of_frame(ctx)) {
          if (text.window.find("###" + panel) == std::string::npos) continue;
          seen.insert(text.text);
          EXPECT_FALSE(text.cut) << language << ": " << text.text;
          EXPECT_FALSE(text.scrolls_y && text.max.y > text.room_max.y + 1)
              << language << ": below the edge: " << text.text;
        }
        for (const std::string& text : seen) {
          EXPECT_EQ(text.find("more warps below"), std::string::npos) << language;
          EXPECT_EQ(text.find("weitere Warps darunter"), std::string::npos) << language;
        }
        EXPECT_GT(seen.size(), 5u) << panel;
      }
    });
  }
}

TEST_F(Slides, PublishedFiguresGoWithTheScenesOwnPanel) {
  open("bank-conflicts", "");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    const auto& scenes = app().lecture().demo().scenes;
    const auto published = std::find_if(scenes.begin(), scenes.end(), [](const lab::Scene& scene) {
      return scene.published.has_value();
    });
    IM_CHECK(published != scenes.end());
    reveal(ctx, static_cast<size_t>(published - scenes.begin()));
    IM_CHECK(shown("figures"));
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_8);
    ctx->Yield(4);
    IM_CHECK(shown("times"));
    IM_CHECK(!shown("figures"));
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(4);
    IM_CHECK(shown("figures"));
  });
}

// Of a loop that the lanes leave one after another, the first iteration would show all of them.
TEST_F(Slides, AFilmStartsWhereTheWarpIsAsOnAverage) {
  open("irregular", "");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    reveal(ctx, 4);
    IM_CHECK(shown("warp"));
    IM_CHECK(wait_until(ctx, [this] {
      return app().view().film && app().view().film_step < app().view().film->steps.size() &&
             app().view().film_step > 0;
    }));
    const std::vector<emulator::ReplayStep>& steps = app().view().film->steps;
    const emulator::ReplayStep& start = steps[app().view().film_step];
    std::vector<int> active;
    for (const emulator::ReplayStep& step : steps) {
      if (step.instruction == start.instruction && step.function == start.function)
        active.push_back(std::popcount(step.mask));
    }
    const double mean =
        std::accumulate(active.begin(), active.end(), 0.0) / static_cast<double>(active.size());
    const int lanes = std::popcount(start.mask);
    EXPECT_LT(lanes, active.front()) << "the lanes are those of the first iteration";
    for (const int other : active) EXPECT_LE(std::abs(lanes - mean), std::abs(other - mean));
  });
}

TEST_F(Slides, AnEditThatDoesNotEndOrHasARaceIsCalledThat) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    reveal(ctx, 0);
    const std::string kernel = app().session().text();
    const auto drawn = [&](const char* part) {
      const std::vector<DrawnText> texts = texts_of_frame(ctx);
      return std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
        return !text.cut && text.text.find(part) != std::string::npos;
      });
    };
    const size_t barrier = kernel.find("__syncthreads();");
    IM_CHECK(barrier != std::string::npos);
    std::string edited = kernel;
    app().send(command::EditText{edited.replace(barrier, 16, "")});
    wait_for_result(ctx);
    ctx->Yield(4);
    EXPECT_TRUE(drawn("edited, race in line "));
    edited = kernel;
    app().send(command::EditText{edited.replace(barrier, 16, "while (n > 0) __syncthreads();")});
    wait_for_result(ctx);
    ctx->Yield(4);
    EXPECT_TRUE(drawn("edited, does not end"));
    EXPECT_FALSE(drawn("Choose an access to shared memory"));
  });
}

TEST_F(Slides, ASceneThatTheScriptLacksIsRefused) {
  AppOptions options;
  options.ui.lab = "bank-conflicts";
  options.ui.mode = "lecture";
  options.ui.scene = 9;
  options.own_size = true;
  const Result<std::unique_ptr<App>> opened = App::create(options);
  ASSERT_FALSE(opened.ok());
  EXPECT_NE(render(opened.errors()).find("7 scenes"), std::string::npos);
}

}  // namespace
}  // namespace warpshop::ui
