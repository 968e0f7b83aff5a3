// Steps without a kernel: the text is a page in the editor's place, next to nothing but the steps.
#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "imgui_internal.h"
#include "text_check.h"
#include "window/layout.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

bool is_there(const char* panel) {
  const ImGuiWindow* window = panel_window(panel);
  return window && window->Active;
}
bool is_in_front(const char* panel) { return is_there(panel) && in_front(panel_window(panel)); }

// The panels whose text contains the word: "steps", "editor", both or none.
std::string place_of_text(ImGuiTestContext* ctx, const std::string& word) {
  const std::vector<DrawnText> texts = texts_of_frame(ctx);
  std::string places;
  for (const char* panel : {"steps", "editor"}) {
    const std::string of_panel = std::string("###") + panel + "/text_";
    const bool here = std::any_of(texts.begin(), texts.end(), [&](const DrawnText& text) {
      return text.text == word && text.window.find(of_panel) != std::string::npos;
    });
    if (here) places += panel;
  }
  return places;
}

TEST_F(WindowTest, ALongAnswerIsWrapped) {
  open("ilp", "several");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1366, 768);
    app().send(command::Zoom{1.25f});
    ctx->Yield(8);
    const std::string answer = app().session().step()->questions[1].choices[1];
    IM_CHECK_GT(answer.size(), 40u);
    click_in_text(ctx, ("**/" + answer + "##q1c1").c_str());
    ctx->Yield(8);
    std::string drawn;
    for (const DrawnText& text : texts_of_frame(ctx)) {
      // The question's own text is drawn in single words.
      if (text.window.find("question1") == std::string::npos || text.text.size() < 10 ||
          answer.find(text.text) == std::string::npos)
        continue;
      EXPECT_FALSE(text.cut) << text.text;
      drawn += (drawn.empty() ? "" : " ") + text.text;
    }
    EXPECT_EQ(drawn, answer);
  });
}

// A figure of 46 columns is shrunk until it fits beside the kernel on a small screen.
TEST_F(WindowTest, AFigureIsShrunkBeforeItScrolls) {
  open("dram-bursts", "whole");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1366, 768);
    ctx->Yield(8);
    bool text = false;
    for (const ImGuiWindow* window : ctx->UiContext->Windows) {
      if (!window->Active || !std::strstr(window->Name, "###steps/")) continue;
      text |= std::strstr(window->Name, "/text_") != nullptr;
      EXPECT_EQ(std::strstr(window->Name, "/code_"), nullptr) << window->Name;  // it would scroll
    }
    EXPECT_TRUE(text);
  });
}

TEST_F(WindowTest, AStepWithoutAKernelIsAPageToRead) {
  open("divergence", "masks");
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(8);
    EXPECT_EQ(place_of_text(ctx, "reconvergence"), "editor");
    for (const char* panel : {"transactions", "counters", "result"})
      EXPECT_FALSE(is_there(panel)) << panel;
    // The page takes all the room next to the steps.
    const ImGuiWindow *page = panel_window("editor"), *steps = panel_window("steps");
    EXPECT_GT(page->Pos.x, steps->Pos.x + steps->Size.x);
    EXPECT_GT(page->Pos.x + page->Size.x, ImGui::GetMainViewport()->Size.x - 40);
    EXPECT_GT(page->Pos.y + page->Size.y, ImGui::GetMainViewport()->Size.y - 40);
    // The page keys scroll it.
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(4);
    const auto text = std::find_if(
        ctx->UiContext->Windows.begin(), ctx->UiContext->Windows.end(),
        [](const ImGuiWindow* w) { return w->Active && std::strstr(w->Name, "###editor/text_"); });
    IM_CHECK(text != ctx->UiContext->Windows.end());
    EXPECT_GT((*text)->Scroll.y, 300);
    // Its questions are answered there, and the next step has its panels.
    const lab::Step& step = *app().session().step();
    for (size_t i = 0; i < step.questions.size(); ++i) {
      answer_in_text(ctx, i, step.questions[i].answer);
    }
    EXPECT_TRUE(app().session().progress_of(step)->passed);
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_N);
    ctx->Yield(8);
    IM_CHECK(app().view().exercise() != nullptr);
    for (const char* panel : {"transactions", "counters", "result"})
      EXPECT_TRUE(is_there(panel)) << panel;
    EXPECT_EQ(place_of_text(ctx, "After this step you can"), "steps");
    app().send(command::MoveStep{-1});
    ctx->Yield(8);
    ctx->KeyPress(ImGuiKey_PageDown, 5);
    ctx->Yield(4);
  });
  keep_picture("page-answered");
}

TEST_F(WindowTest, AfterAPageThePanelsAreWhereTheyWere) {
  open("divergence", "by-warp");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    for (const char* panel : {"dram", "occupancy", "times"}) {
      app().send(command::FocusPanel{panel});
      ctx->Yield(4);
    }
    const ImVec2 place = panel_window("occupancy")->Pos, size = panel_window("occupancy")->Size;
    app().send(command::MoveStep{-1});
    ctx->Yield(8);
    IM_CHECK(app().view().exercise() == nullptr);
    EXPECT_FALSE(is_there("occupancy"));
    app().send(command::MoveStep{1});
    ctx->Yield(12);
    for (const char* panel : {"dram", "occupancy", "times"})
      EXPECT_TRUE(is_in_front(panel)) << panel;
    const ImGuiWindow* after = panel_window("occupancy");
    EXPECT_EQ(after->Pos.x, place.x);
    EXPECT_EQ(after->Pos.y, place.y);
    EXPECT_EQ(after->Size.x, size.x);
    EXPECT_EQ(after->Size.y, size.y);
  });
}

TEST_F(WindowTest, APanelThatIsAskedForComesBesideThePage) {
  open("divergence", "masks");
  walk([](ImGuiTestContext* ctx) {
    ctx->Yield(8);
    EXPECT_FALSE(is_there("occupancy"));
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_1);
    ctx->Yield(12);
    EXPECT_TRUE(is_in_front("occupancy"));
    EXPECT_EQ(place_of_text(ctx, "reconvergence"), "editor");
  });
}

// If the steps and the text are tabs of one dock, each shows the text, and the text's tab shows how
// to continue.
TEST_F(WindowTest, InAnalysisThePageSaysHowToGoOn) {
  open("divergence", "masks");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::SetMode{Mode::kAnalysis});
    ctx->Yield(12);
    app().send(command::FocusPanel{"editor"});
    ctx->Yield(6);
    EXPECT_EQ(place_of_text(ctx, "reconvergence"), "editor");
    const lab::Step& step = *app().session().step();
    answer_everything();
    ctx->Yield(4);
    click_in_text(ctx, "**/Next##next");
    ctx->Yield(4);
    EXPECT_NE(app().session().step(), &step);
    app().send(command::MoveStep{-1});
    ctx->Yield(6);
    app().send(command::FocusPanel{"steps"});
    ctx->Yield(6);
    EXPECT_EQ(place_of_text(ctx, "reconvergence"), "steps");
  });
}

// A table with too many columns is transposed; no words overlap at any size of the window.
TEST_F(WindowTest, AWideTableIsReadableInANarrowWindow) {
  open("instruction-throughput", "doubles");
  walk([this](ImGuiTestContext* ctx) {
    for (const int width : {1600, 1280, 1000}) {
      resize(ctx, width, 900);
      app().send(command::FocusPanel{"steps"});
      ctx->Yield(8);
      ImGuiWindow* text = nullptr;
      for (ImGuiWindow* window : ctx->UiContext->Windows) {
        if (window->Active && std::strstr(window->Name, "###steps/text_")) text = window;
      }
      IM_CHECK(text != nullptr);
      bool seen = false;
      for (int page = 0; page < 40; ++page) {
        ImGui::SetScrollY(text, static_cast<float>(page) * text->InnerRect.GetHeight() * 0.5f);
        const std::vector<DrawnText> texts = texts_of_frame(ctx);
        for (const DrawnText& t : texts) seen = seen || t.text == "1/24";
        for (const std::string& misfit : misfits(texts)) {
          if (misfit.find("###steps/text_") != std::string::npos)
            ADD_FAILURE() << width << ": " << misfit;
        }
        if (text->Scroll.y >= text->ScrollMax.y) break;
      }
      EXPECT_TRUE(seen) << width;
    }
  });
}

// What fits needs no scroll bar, at any zoom.
TEST_F(WindowTest, FragmentsThatFitDoNotScroll) {
  open("tensor-cores", "tile");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1366, 768);
    app().send(command::EditText{app().session().step()->exercise->solution});
    app().send(command::Run{});
    wait_for_result(ctx);
    for (const float zoom : {1.0f, 1.25f, 1.5f, 2.0f}) {
      app().send(command::Zoom{zoom / app().settings().zoom});
      ctx->Yield(8);  // few docks have room for all tabs
      app().send(command::FocusPanel{"fragments"});
      ctx->Yield(8);
      const ImGuiWindow* panel = ctx->GetWindowByRef("//###fragments");
      IM_CHECK_SILENT(panel != nullptr);
      EXPECT_FALSE(panel->ScrollbarX && panel->ScrollbarY)
          << zoom << ": " << panel->ScrollMax.x << ", " << panel->ScrollMax.y;
      EXPECT_TRUE(panel->ScrollMax.y == 0 || panel->ScrollMax.y > 8) << zoom;
    }
  });
  keep_picture("fragments-large");
}

}  // namespace
}  // namespace warpshop::ui
