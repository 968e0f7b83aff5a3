// Every text of the window has enough room, in German and in a language 40% longer than English, at
// four zooms: what does not fit is wrapped, scrolled to, or cut with "…" and shown in full under
// the mouse. Nothing overlaps.
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "imgui_internal.h"
#include "text_check.h"
#include "window/fonts.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

class TextFits : public WindowTest,
                 public ::testing::WithParamInterface<std::tuple<const char*, int>> {
 protected:
  static const char* language_id() { return std::get<0>(GetParam()); }
  static int zoom() { return std::get<1>(GetParam()); }

  // Draws a frame and inspects its texts; `where` names it in the report.
  void look_at(ImGuiTestContext* ctx, const std::string& where) {
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    look_at_tabs(ctx, where);
    EXPECT_FALSE(texts.empty()) << where;
    for (const DrawnText& text : texts) cut_ += text.cut;
    seen_ += texts.size();
    for (const std::string& misfit : misfits(texts)) {
      if (problems_.insert(where + misfit).second) ADD_FAILURE() << where << ": " << misfit;
    }
    if (const char* folder = std::getenv("WARPSHOP_TEXT_PICTURES"); folder && *folder) {
      keep_picture(
          ctx, "fit-" + std::string(language_id()) + "-" + std::to_string(zoom()) + "-" + where);
    }
  }

  // Every tab shows its full name, the one in front is visible, and if they do not all fit, a
  // button lists them.
  void look_at_tabs(ImGuiTestContext* ctx, const std::string& where) {
    for (const ImGuiWindow* window : ctx->UiContext->Windows) {
      const ImGuiDockNode* node = window->DockNode;
      if (!window->Active || !node || node->VisibleWindow != window || !node->TabBar ||
          node->IsHiddenTabBar())
        continue;
      const ImGuiTabBar& bar = *node->TabBar;
      for (const ImGuiTabItem& tab : bar.Tabs) {
        EXPECT_GE(tab.Width, tab.ContentWidth - 1)
            << where << ": a tab beside " << window->Name << " is cut";
        if (tab.ID != bar.VisibleTabId) continue;
        const float left = bar.BarRect.Min.x + tab.Offset - bar.ScrollingTarget;
        EXPECT_GE(left, bar.BarRect.Min.x - 1) << where << ": " << window->Name;
        EXPECT_LE(left + tab.Width, bar.BarRect.Max.x + 1) << where << ": " << window->Name;
      }
      if (bar.WidthAllTabs > bar.BarRect.GetWidth() + 1) {
        EXPECT_TRUE(node->HasWindowMenuButton) << where << ": " << window->Name;
      }
      lists_ += node->HasWindowMenuButton;
    }
  }

  void panels(ImGuiTestContext* ctx, const std::string& where) {
    wait_until(ctx, [this] { return !app().predicting(); });
    for (const char* panel : kPanels) {
      app().send(command::FocusPanel{panel});
      if (std::string_view(panel) == "warp") {
        ctx->Yield(4);  // opens the film once the panel is in front
        wait_until(ctx, [this] { return !app().busy() && !app().view().film_opening; });
      }
      look_at(ctx, where + "-" + panel);
      // The unit of the panel's number is wrapped rather than cut.
      if (std::string_view(panel) == "occupancy" || std::string_view(panel) == "schedulers") {
        for (const DrawnText& text : texts_of_frame(ctx)) {
          EXPECT_FALSE(text.cut && text.window.find(panel) != std::string::npos)
              << where << " " << panel << ": " << text.text;
        }
      }
    }
  }

  std::set<std::string> problems_;
  size_t seen_ = 0, cut_ = 0, lists_ = 0;
};

TEST_P(TextFits, InEveryPanelAndDialog) {
  UiOptions look;
  look.language = language_id();
  look.zoom = static_cast<float>(zoom()) / 100;
  look.theme = zoom() % 200 == 0 ? "light" : "dark";
  open("coalescing", "one-warp", look);
  walk([this](ImGuiTestContext* ctx) {
    ctx->MouseMoveToPos({1, 998});
    look_at(ctx, "unanswered");
    app().send(command::Run{});
    wait_for_result(ctx);
    panels(ctx, "global");
    const struct {
      const char* name;
      Command command;
    } kDialogs[] = {
        {"palette", command::OpenPalette{}},   {"glossary", command::OpenGlossary{}},
        {"keys", command::OpenKeys{}},         {"doctor", command::OpenDoctor{}},
        {"reset", command::AskReset{}},        {"ask-solution", command::AskSolution{}},
        {"solution", command::ShowSolution{}}, {"changes", command::OpenChanges{"baseline", ""}},
        {"figures", command::ExplainFigures{}}};
    for (const auto& dialog : kDialogs) {
      app().send(dialog.command);
      ctx->Yield(3);
      wait_until(ctx, [this] { return !app().busy() && !app().is_checking_system(); });
      look_at(ctx, dialog.name);
      app().send(command::CloseDialog{});
      ctx->Yield(3);
    }
    app().send(command::OpenHome{});
    ctx->Yield(4);
    look_at(ctx, "home");
    app().send(command::CloseHome{});
    ctx->Yield(4);
    app().send(command::ShowTour{});
    ctx->Yield(2);
    while (!app().tour().finished()) {
      look_at(ctx, "tour-" + std::string(app().tour().step().id));
      app().send(command::SkipTour{});
      ctx->Yield(2);
    }
    look_at(ctx, "tour-end");
    app().send(command::LeaveTour{});
    ctx->Yield(2);
    app().send(command::EditText{app().session().text() + "\nint x = ;\n"});
    ctx->Yield(2);
    wait_for_result(ctx);
    app().send(command::FocusPanel{"findings"});
    look_at(ctx, "does-not-compile");
    app().send(command::OpenStep{"bank-conflicts", "column"});
    ctx->Yield(3);
    app().send(command::Run{});
    wait_for_result(ctx);
    panels(ctx, "shared");
    for (const Mode mode : {Mode::kAnalysis, Mode::kMinimal, Mode::kStudent}) {
      app().send(command::SetMode{mode});
      look_at(ctx, "mode-" + std::string(name_of(mode)));
    }
    app().send(command::SelectGpu{"8800-gt"});
    ctx->Yield(2);
    wait_for_result(ctx);
    app().send(command::FocusPanel{"banks"});
    look_at(ctx, "8800-gt-banks");
    app().send(command::OpenStep{"coalescing", "transpose-naive"});
    ctx->Yield(3);
    app().send(command::Run{});
    wait_for_result(ctx);
    app().send(command::FocusPanel{"transactions"});
    look_at(ctx, "8800-gt-transactions");
    app().send(command::GiveLecture{});
    ctx->Yield(8);
    for (int scene = 0; scene < 4; ++scene) {
      wait_for_result(ctx);
      look_at(ctx, "lecture-" + std::to_string(scene) + "-hidden");
      app().send(command::Advance{});
      look_at(ctx, "lecture-" + std::to_string(scene));
      app().send(command::Advance{});
      ctx->Yield(3);
    }
    app().send(command::GiveLecture{});
    ctx->Yield(3);
  });
  if (zoom() >= 200) {
    EXPECT_GT(lists_, 0u);  // there are tabs that do not fit
  }
  std::printf("%s at %d%%: %zu texts, %zu of them cut with their whole under the mouse\n",
              language_id(), zoom(), seen_, cut_);
}
// The place in the top bar takes what the pipeline's marks leave.
TEST_F(WindowTest, TheStepsNameIsWholeWhereThereIsRoom) {
  open("ilp", "several");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1300, 900);
    ctx->Yield(3);
    size_t names = 0;
    for (const DrawnText& text : texts_of_frame(ctx)) {
      if (text.window.find("top_bar") == std::string::npos) continue;
      if (text.text.find("Several elements per thread") == std::string::npos) continue;
      ++names;
      IM_CHECK(!text.cut);
    }
    IM_CHECK_EQ(names, size_t{1});
  });
}

// On a small laptop's screen, less a desktop's own bars.
TEST_F(WindowTest, ALowWindowShowsEighteenLinesOfCode) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    // Wide before: the window has its final size only after its first frames.
    ctx->Yield(6);
    resize(ctx, 1366, 700);
    ctx->Yield(6);
    const ImGuiWindow* code = nullptr;
    for (const ImGuiWindow* window : ctx->UiContext->Windows) {
      if (window->Active && std::strstr(window->Name, "##code")) code = window;
    }
    IM_CHECK(code != nullptr);
    EXPECT_GE(code->InnerRect.GetHeight() / (px(kBody) * kEditorLine), 18);
  });
  keep_picture("low-window");
}

// What a small laptop shows of the panels' tabs: all of them, with their whole names.
TEST_F(WindowTest, AllTabsOfADockAreInSightOnASmallScreen) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1366, 768);
    ctx->Yield(6);
    app().send(command::Run{});
    wait_for_result(ctx);
    ctx->Yield(4);
    for (const ImGuiWindow* window : ctx->UiContext->Windows) {
      const ImGuiDockNode* node = window->DockNode;
      if (!window->Active || !node || node->VisibleWindow != window || !node->TabBar) continue;
      EXPECT_LE(node->TabBar->WidthAllTabs, node->TabBar->BarRect.GetWidth() + 1) << window->Name;
    }
  });
}

TEST_F(WindowTest, APassIsSaidInFullInANarrowPanel) {
  UiOptions look;
  look.zoom = 2;
  open("coalescing", "stride", look);
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::EditText{app().session().step()->exercise->solution});
    app().send(command::Run{});
    wait_for_result(ctx);
    app().send(command::FocusPanel{"steps"});
    ctx->Yield(4);
    size_t banners = 0;
    for (const DrawnText& text : texts_of_frame(ctx)) {
      if (!text.text.starts_with("Passed — ")) continue;
      ++banners;
      IM_CHECK(!text.cut);
    }
    IM_CHECK(banners > 0);
  });
}

// Two groups of 16 lanes load 16 bytes each: 8 neighbouring cells of 16 lanes, narrower than "16".
TEST_F(WindowTest, CountsOfTheBankMapDoNotRunTogether) {
  open("bank-conflicts", "wide");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1000, 800);
    std::string source = app().session().text();
    const std::string own = "threadIdx.x * kPitch + part * 4";
    const size_t at = source.find(own);
    IM_CHECK(at != std::string::npos);
    const auto end = source.begin() + static_cast<std::ptrdiff_t>(at);
    const auto line = static_cast<int>(std::count(source.begin(), end, '\n')) + 1;
    source.replace(at, own.size(), "(threadIdx.x & 16) / 4 + part * 4");
    app().send(command::EditText{source});
    app().send(command::Run{});
    wait_for_result(ctx);
    app().send(command::SelectLine{line});
    app().send(command::FocusPanel{"banks"});
    ctx->Yield(4);
    IM_CHECK(app().view().access() && app().view().access()->line == line);
    std::vector<ImRect> counts;
    for (const DrawnText& text : texts_of_frame(ctx)) {
      if (text.text != "16" || text.window.find("banks") == std::string::npos) continue;
      const ImRect count(text.min, text.max);
      for (const ImRect& other : counts) IM_CHECK(!count.Overlaps(other));
      counts.push_back(count);
    }
  });
}

// The caption wraps in a narrow panel, below the GPUs' years.
TEST_F(WindowTest, TheCaptionOfTwoGpusLeavesTheirNamesFree) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1000, 700);
    app().send(command::Run{});
    wait_for_result(ctx);
    app().send(command::FocusPanel{"compare"});
    ctx->Yield(4);
    float caption = 0, names = 0;
    for (const DrawnText& text : texts_of_frame(ctx)) {
      if (text.window.find("compare") == std::string::npos) continue;
      if (text.text.starts_with("Pieces of 32")) caption = text.min.y;
      if (text.mark) names = std::max(names, text.max.y);
    }
    IM_CHECK(caption > 0 && names > 0);
    IM_CHECK_GE(caption, names);
  });
}

INSTANTIATE_TEST_SUITE_P(Languages, TextFits,
                         ::testing::Combine(::testing::Values("pseudo", "de"),
                                            ::testing::Values(75, 100, 200, 400)),
                         [](const auto& of) {
                           return std::string(std::get<0>(of.param)) + "_" +
                                  std::to_string(std::get<1>(of.param));
                         });

}  // namespace
}  // namespace warpshop::ui
