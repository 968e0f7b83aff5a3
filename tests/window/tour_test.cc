// The tour: what each card waits for, where it stands, and that it is resumed.
#include <cstring>
#include <optional>
#include <string>
#include <tuple>

#include "draw/spots.h"
#include "imgui_internal.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

TEST_F(WindowTest, TheTourWaitsForEachActionAndIsResumed) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_F1);
    ctx->Yield(4);
    // An exercise is open already.
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "predict");
    ctx->Yield(20);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "predict");
  });
  keep_picture("tour-predict");
  walk([this](ImGuiTestContext* ctx) {
    answer_everything();
    ctx->Yield(4);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "edit");
    select_line(ctx, 1);
    // Leave the tour, and resume it where it was.
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_F1);
    ctx->Yield(3);
    IM_CHECK(!app().tour().open());
    IM_CHECK_STR_EQ(app().settings().tour.c_str(), "edit");
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_F1);
    ctx->Yield(3);
    IM_CHECK(app().tour().open());
    // The tour waits for the automatic run after typing: nobody is asked to run what has run.
    select_line(ctx, 1);
    ctx->KeyChars("// a");
    ctx->Yield(1);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "edit");
    wait_for_result(ctx);
    ctx->Yield(4);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "map");
  });
  keep_picture("tour-map");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_RightArrow);
    ctx->Yield(4);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "checks");
    IM_CHECK(find_spot("checks").has_value());
    ctx->ItemClick("//##tour/Continue tour##tour-next");
    ctx->Yield(3);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "hint");
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_H);
    ctx->Yield(4);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "solution");
    // Only the step's button continues: nobody has to open the solution.
    ctx->Yield(20);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "solution");
    ctx->ItemClick("//##tour/Continue tour##tour-next");
    ctx->Yield(3);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "home");
    ctx->ItemClick("//top_bar/##home");
    ctx->Yield(4);
    IM_CHECK(app().view().home);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
    IM_CHECK(!app().view().home);
    IM_CHECK(app().tour().finished());
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_F1);
    ctx->Yield(3);
    IM_CHECK(!app().tour().open());
  });
}

// A second click at the same spot must not skip what the first one has brought.
TEST_F(WindowTest, TheToursButtonsStayInTheirPlaces) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1366, 768);
    app().send(command::EditText{app().session().step()->exercise->solution});
    app().send(command::Run{});
    wait_for_result(ctx);
    IM_CHECK(app().view().result()->passed);
    app().send(command::ShowTour{});
    ctx->Yield(4);
    while (app().tour().step().id != "checks") {
      app().send(command::SkipTour{});
      ctx->Yield(4);
    }
    // What is framed is the checks, though all of them pass and the banner says so.
    IM_CHECK(find_spot("checks").has_value());
    IM_CHECK(ctx->ItemExists("**/Next##next"));
    const ImRect leave = ctx->ItemInfo("//##tour/Leave the tour##tour-leave").RectFull;
    const ImVec2 next = ctx->ItemInfo("//##tour/Continue tour##tour-next").RectFull.GetCenter();
    ctx->ItemClick("//##tour/Continue tour##tour-next");
    ctx->Yield(3);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "hint");
    IM_CHECK_EQ(leave.Min.x, ctx->ItemInfo("//##tour/Leave the tour##tour-leave").RectFull.Min.x);
    ctx->MouseMoveToPos(next);
    ctx->MouseClick();
    ctx->Yield(3);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "hint");
  });
}

// The strip is as high as its longest step: nothing in it scrolls.
TEST_F(WindowTest, TheToursStripHasNoScrollBar) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1366, 768);
    app().send(command::ShowTour{});
    ctx->Yield(4);
    for (size_t n = 0; app().tour().open() && !app().tour().finished(); ++n) {
      const ImGuiWindow* strip = ctx->GetWindowByRef("//##tour");
      IM_CHECK_SILENT(strip != nullptr);
      EXPECT_FALSE(strip->ScrollbarX || strip->ScrollbarY) << app().tour().step().id;
      app().send(command::SkipTour{});
      ctx->Yield(4);
    }
  });
}

TEST_F(WindowTest, TheTourGoesOnFromTheLastAccessOfAWarp) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    const WarpAccesses& warp = app().view().prepared->accesses.warp_of(*app().view().selected);
    const size_t first = warp.first, last = warp.first + warp.count - 1;
    IM_CHECK(first != last);
    const auto disabled = [ctx](const char* arrow) {
      return (ctx->ItemInfo(arrow).ItemFlags & ImGuiItemFlags_Disabled) != 0;
    };
    app().send(command::SelectAccess{first});
    ctx->Yield(4);
    IM_CHECK(disabled("**/back") && !disabled("**/forth"));
    app().send(command::SelectAccess{last});
    ctx->Yield(4);
    IM_CHECK(!disabled("**/back") && disabled("**/forth"));
    app().send(command::ShowTour{});
    ctx->Yield(4);
    while (app().tour().step().id != "map") {
      app().send(command::SkipTour{});
      ctx->Yield(4);
    }
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_RightArrow);
    ctx->Yield(4);
    IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "checks");
  });
}

TEST_F(WindowTest, ATooltipDoesNotCoverTheTour) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::ShowTour{});
    ctx->Yield(4);
    const ImGuiWindow* tooltip = nullptr;
    ctx->MouseMove("//top_bar/##home");
    IM_CHECK(wait_until(ctx, [&] {
      for (const ImGuiWindow* window : ctx->UiContext->Windows) {
        if (window->WasActive && !window->Hidden && (window->Flags & ImGuiWindowFlags_Tooltip))
          tooltip = window;
      }
      return tooltip != nullptr;
    }));
    IM_CHECK(!tooltip->Rect().Overlaps(ctx->GetWindowByRef("//##tour")->Rect()));
  });
}

TEST_F(WindowTest, TheTourBringsTheQuestionIntoViewThatItFrames) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    resize(ctx, 1366, 768);
    ctx->Yield(8);
    ImGuiWindow* text = nullptr;
    for (ImGuiWindow* window : ctx->UiContext->Windows) {
      const char* name = std::strstr(window->Name, "/text_");
      if (window->Active && name && !std::strchr(name + 1, '/')) text = window;
    }
    IM_CHECK(text != nullptr);
    const auto in_view = [text] {
      const std::optional<Spot> question = find_spot("question");
      return question && question->min.y >= text->InnerRect.Min.y + 1 &&
             question->max.y <= text->InnerRect.Max.y - 1;
    };
    for (const float from : {0.0f, text->ScrollMax.y}) {
      ImGui::SetScrollY(text, from);
      ctx->Yield(4);
      IM_CHECK(!in_view());
      app().send(command::ShowTour{});
      ctx->Yield(12);
      IM_CHECK_STR_EQ(std::string(app().tour().step().id).c_str(), "predict");
      IM_CHECK(in_view());
      app().send(command::LeaveTour{});
      ctx->Yield(8);
    }
  });
}

// The tour takes its room from the panels: whatever a step describes or opens is visible on any
// screen.
TEST_F(WindowTest, TheTourCoversNoPanel) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    app().send(command::ShowTour{});
    for (const auto& [width, height, zoom] :
         {std::tuple{1366, 768, 1.0f}, {1920, 1080, 1.0f}, {1366, 768, 2.0f}}) {
      resize(ctx, width, height);
      app().send(command::Zoom{zoom});
      ctx->Yield(8);
      const ImGuiWindow* tour = ctx->GetWindowByRef("//##tour");
      IM_CHECK(tour != nullptr && tour->WasActive);
      IM_CHECK(tour->Rect().Max.x <= static_cast<float>(width) &&
               tour->ContentSize.y <= tour->InnerRect.GetHeight());
      size_t docked = 0;
      for (const ImGuiWindow* window : ctx->UiContext->Windows) {
        if (!window->WasActive || !window->DockIsActive) continue;
        ++docked;
        IM_CHECK(!window->Rect().Overlaps(tour->Rect()));
        IM_CHECK(!window->DockNode->Rect().Overlaps(tour->Rect()));
      }
      IM_CHECK_GE(docked, 2u);
    }
    app().send(command::OpenHome{});
    ctx->Yield(4);
    IM_CHECK(!ctx->GetWindowByRef("//##tour")->WasActive);  // it speaks of the exercise
  });
}

}  // namespace
}  // namespace warpshop::ui
