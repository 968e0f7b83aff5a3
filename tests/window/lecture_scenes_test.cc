// What a lecturer expects of a slide without asking: a resting mouse changes nothing, a notice
// covers nothing, a panel that was brought leaves nothing behind.
#include <algorithm>
#include <cstring>

#include "imgui_internal.h"
#include "lecture_driver.h"
#include "text_check.h"
#include "window/layout.h"

namespace warpshop::ui {
namespace {

class LectureScenes : public LectureDriver {};

// By whichever way the class comes to a scene.
TEST_F(LectureScenes, AFasterVersionIsDrawnOnTheScaleOfTheScripts) {
  open("partition-camping", "");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    for (const size_t scene : {3, 2, 3}) {
      app().send(command::GoToScene{scene});
      ctx->Yield(3);
      wait_for_result(ctx);
      if (app().lecture().hidden()) app().send(command::Advance{});
      IM_CHECK(wait_until(ctx, [this] {
        const lab::RunResult* result = app().view().result();
        return result && !app().view().stale && result->student() && result->student()->memory;
      }));
      ctx->Yield(4);
      const std::vector<DrawnText> texts = texts_of_frame(ctx);
      EXPECT_EQ(std::count_if(texts.begin(), texts.end(),
                              [](const DrawnText& t) {
                                return t.text.ends_with("of the slowest version's time");
                              }),
                1)
          << "scene " << scene + 1;
    }
  });
}

// A panel brought to a scene shows the scene's access, and leaves no mark behind.
TEST_F(LectureScenes, ABroughtPanelFollowsTheScene) {
  open("partition-camping", "");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    for (const size_t scene : {1, 2}) {
      app().send(command::GoToScene{scene});
      ctx->Yield(3);
      wait_for_result(ctx);
      app().send(command::Advance{});
      ctx->Yield(4);
      const std::optional<size_t> before = app().view().selected;
      EXPECT_EQ(before.has_value(), scene == 1);  // "look at the stores"; the third shows a run
      ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_7);
      ctx->Yield(4);
      IM_CHECK(shown("compare"));
      IM_CHECK(app().view().access() != nullptr);
      if (scene == 1) {
        EXPECT_EQ(app().view().access()->line, app().lecture().current().line);
      }
      ctx->KeyPress(ImGuiKey_PageDown);
      ctx->Yield(4);
      IM_CHECK(shown("partitions"));
      EXPECT_EQ(app().view().selected, before) << "scene " << scene + 1;
    }
  });
}

// Nobody scrolls a slide: DRAM, at the chart's foot, belongs to the picture.
TEST_F(LectureScenes, TheMemoryChartIsWholeOnASlide) {
  open("dram-bursts", "");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1920, 1080);
    begin(ctx);
    for (const size_t scene : {1, 4}) {
      app().send(command::GoToScene{scene});
      ctx->Yield(3);
      wait_for_result(ctx);
      app().send(command::Advance{});
      IM_CHECK(wait_until(ctx, [this] {
        const lab::SizeResult* size = app().view().result()->timed_size();
        return size && size->student.prediction && !app().view().predicting;
      }));
      ctx->Yield(6);
      IM_CHECK(shown("memory"));
      int figures = 0;
      for (const DrawnText& drawn : texts_of_frame(ctx)) {
        if (drawn.window.find("###memory") == std::string::npos ||
            drawn.text.find(" GB/s") == std::string::npos)
          continue;
        ++figures;
        EXPECT_LE(drawn.max.y, drawn.room_max.y) << drawn.text << ", scene " << scene + 1;
      }
      EXPECT_EQ(figures, 1) << "the rate of DRAM";
    }
  });
  keep_picture("memory-on-a-slide");
}

TEST_F(LectureScenes, AQuestionMarkShowsTheLecturesKeys) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    ctx->KeyChars("?");
    ctx->Yield(6);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 1);
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    const auto key = std::find_if(texts.begin(), texts.end(), [](const DrawnText& t) {
      return t.text == "Reveal, then the next scene";
    });
    IM_CHECK(key != texts.end());
    EXPECT_LE(key->max.y, key->room_max.y) << "it has to be scrolled to";
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 0);
    IM_CHECK(app().lecture().on());
  });
}

// Lanes are highlighted, and the others dimmed, once the mouse has moved in the scene.
TEST_F(LectureScenes, AMouseThatRestsPointsAtNothing) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    app().send(command::Advance{});
    ctx->Yield(40);
    const auto points = [this] { return app().view().pointing.lanes != 0; };
    ImVec2 lane{};
    for (float y = 300; y < 700 && !points(); y += 15) {
      for (float x = 900; x < 1550 && !points(); x += 30) {
        lane = {x, y};
        ctx->MouseMoveToPos(lane);
        ctx->Yield(2);
      }
    }
    IM_CHECK(points());
    app().send(command::GoToScene{2});
    ctx->Yield(4);
    app().send(command::GoToScene{0});
    wait_for_result(ctx);
    ctx->Yield(6);
    IM_CHECK(!app().lecture().hidden());
    IM_CHECK(!points());
    ctx->MouseMoveToPos({lane.x + 1, lane.y});
    ctx->MouseMoveToPos(lane);
    ctx->Yield(3);
    IM_CHECK(points());
  });
}

// A notice is beside the scene's title, not over it.
TEST_F(LectureScenes, ANoticeCoversNothing) {
  open("partition-camping", "");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    app().send(command::GoToScene{1});
    ctx->Yield(3);
    app().send(command::GiveLecture{});
    ctx->Yield(6);
    app().send(command::GiveLecture{});  // "On with scene 2"
    ctx->Yield(8);
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    const auto title = std::find_if(texts.begin(), texts.end(), [this](const DrawnText& t) {
      return t.text == app().lecture().current().title && t.window == "top_bar";
    });
    IM_CHECK(title != texts.end());
    int notices = 0;
    for (const ImGuiWindow* window : ctx->UiContext->Windows) {
      if (!window->Active || std::strncmp(window->Name, "##toast", 7) != 0) continue;
      ++notices;
      EXPECT_GE(window->Rect().Min.x, title->max.x) << "it hides the title";
      EXPECT_GE(window->Rect().Min.y, 0);
      EXPECT_LE(window->Rect().Max.y, px(56)) << "it lies over the slide";
    }
    EXPECT_EQ(notices, 1);
  });
}

}  // namespace
}  // namespace warpshop::ui
