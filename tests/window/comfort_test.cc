// Themes, zoom, the palette, hints, reset: everything with the keyboard or one click.
#include <algorithm>
#include <cctype>

#include "core/files.h"
#include "imgui_internal.h"
#include "text/format.h"
#include "text_check.h"
#include "window/layout.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

TEST_F(WindowTest, ThePaletteFindsActionsAndEscClosesIt) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Shift | ImGuiKey_P);
    ctx->Yield(3);
    ctx->KeyChars("light");
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK(app().settings().theme == ThemeChoice::kLight);
    ctx->KeyPress(ImGuiKey_F1);
    ctx->Yield(3);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 1);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 0);
  });
}

// Whatever the length of the line with the error: if code fills its row, the message is beside the
// next line.
TEST_F(WindowTest, AnErrorIsToldInTheCodeThoughItsRowIsFull) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    const std::string start = app().session().text();
    app().send(command::Save{});
    wait_for_result(ctx);
    int beside_next = 0;
    for (size_t letters = 10; letters < 100; letters += 6) {
      const std::string line = "__device__ int a" + std::string(letters, 'x') + " = 1";
      // From outside, as another program would: then the editor shows it.
      const std::string text = line + "\n__device__ int b = 2;\n\n" + start;
      IM_CHECK(write_file_atomically(app().session().file(), text).ok());
      IM_CHECK(wait_until(ctx, [&] { return app().session().text() == text; }));
      app().send(command::Run{});
      wait_for_result(ctx);
      IM_CHECK(app().view().did_not_compile());
      ctx->Yield(4);
      const std::vector<DrawnText> texts = texts_of_frame(ctx);
      float last_row = 0;
      const DrawnText* message = nullptr;
      for (const DrawnText& drawn : texts) {
        if (drawn.text == "code 1: " + line) last_row = std::max(last_row, drawn.min.y);
        if (drawn.text == "expected a \";\"" && drawn.window.find("##code") != std::string::npos)
          message = &drawn;
      }
      EXPECT_GT(last_row, 0) << line;
      EXPECT_TRUE(message) << line;
      // The next row has room for all of it.
      if (message) {
        EXPECT_FALSE(message->cut) << line;
      }
      if (message && message->min.y > last_row + (message->max.y - message->min.y)) ++beside_next;
    }
    EXPECT_GT(beside_next, 0) << "no line filled its row";
  });
  keep_picture("message-beside-next-line");
}

TEST_F(WindowTest, ReplacingAllSaysHowMany) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::FocusPanel{"editor"});
    ctx->Yield(6);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_H);
    ctx->Yield(6);
    ctx->KeyChars("int");
    ctx->KeyPress(ImGuiKey_Tab);
    ctx->KeyChars("long");
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_Enter);
    ctx->Yield(4);
    EXPECT_EQ(app().session().text().find("int n"), std::string::npos);
    EXPECT_TRUE(is_drawn(ctx, "7 replaced"));
    EXPECT_FALSE(is_drawn(ctx, "No matches"));
  });
}

// The checks are behind the editor there, and the findings share their dock with the maps.
TEST_F(WindowTest, ANarrowWindowSaysThatAStepIsPassed) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 800, 700);
    ctx->Yield(10);
    app().send(command::FocusPanel{"editor"});
    ctx->Yield(6);
    IM_CHECK(!in_front(panel_window("steps")));
    const std::string start = app().session().text();
    app().send(command::EditText{start + "\nint i ="});
    app().send(command::Run{});
    wait_for_result(ctx);
    ctx->Yield(4);
    EXPECT_TRUE(in_front(panel_window("findings")));
    app().send(command::EditText{app().session().step()->exercise->solution});
    app().send(command::Run{});
    wait_for_result(ctx);
    ctx->Yield(4);
    EXPECT_FALSE(in_front(panel_window("findings")));
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    EXPECT_TRUE(std::any_of(texts.begin(), texts.end(), [](const DrawnText& drawn) {
      return drawn.text == "Every check passes: this step is done.";
    }));
  });
}

TEST_F(WindowTest, EachDialogClosesWithEsc) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Run{});  // a version to compare with
    wait_for_result(ctx);
    const struct {
      const char* name;
      Command command;
    } kDialogs[] = {
        {"palette", command::OpenPalette{}},   {"glossary", command::OpenGlossary{}},
        {"keys", command::OpenKeys{}},         {"doctor", command::OpenDoctor{}},
        {"reset", command::AskReset{}},        {"question", command::AskSolution{}},
        {"solution", command::ShowSolution{}}, {"changes", command::OpenChanges{"baseline", ""}},
        {"devices", command::OpenDevices{}},   {"figures", command::ExplainFigures{}},
        {"progress", command::OpenProgress{}}};
    for (const auto& dialog : kDialogs) {
      app().send(dialog.command);
      const bool opened = wait_until(ctx, [&] { return ctx->UiContext->OpenPopupStack.Size == 1; });
      EXPECT_TRUE(opened) << dialog.name;
      ctx->Yield(4);
      ctx->KeyPress(ImGuiKey_Escape);
      ctx->Yield(4);
      EXPECT_EQ(ctx->UiContext->OpenPopupStack.Size, 0) << dialog.name;
      app().send(command::CloseDialog{});
      ctx->Yield(3);
    }
  });
}

TEST_F(WindowTest, EscHidesTheNotices) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
    ctx->Yield(4);
    EXPECT_TRUE(something_is_said(ctx));
    ctx->MouseMoveToPos({1, 998});
    ctx->MouseClick();  // so that nothing that handles the key has the focus
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
    EXPECT_FALSE(something_is_said(ctx));
  });
}

TEST_F(WindowTest, ZoomIsKeptWithinItsLimitsAndRemembered) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    ctx->Yield(2);
    IM_CHECK_FLOAT_NEAR_EQ(app().settings().zoom, 1.1f, 1e-4f);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
    ctx->Yield(2);
    IM_CHECK_EQ(app().settings().zoom, 1.0f);
    for (int i = 0; i < 20; ++i) ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    ctx->Yield(5);
    IM_CHECK_EQ(app().settings().zoom, kMaxZoom);
    for (int i = 0; i < 30; ++i) ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Minus);
    ctx->Yield(5);
    IM_CHECK_EQ(app().settings().zoom, kMinZoom);
  });
}

// If a dock's tabs do not fit, a button lists them.
TEST_F(WindowTest, AListLeadsToATabThatIsOutOfSight) {
  UiOptions look;
  look.zoom = 2;
  open("coalescing", "stride", look);
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(8);
    const ImGuiWindow* last = ctx->GetWindowByRef("//###registers");
    IM_CHECK_SILENT(last != nullptr && last->DockNode != nullptr);
    ImGuiDockNode* node = last->DockNode;
    IM_CHECK(node->VisibleWindow != last);
    // No part of a name is at the edge: where a tab is cut, only the panel's background shows.
    const ImGuiTabBar& bar = *node->TabBar;
    const Picture picture = take_picture(ctx);
    int cut = 0;
    for (const ImGuiTabItem& tab : bar.Tabs) {
      const float begin = bar.BarRect.Min.x + tab.Offset - bar.ScrollingAnim,
                  end = begin + tab.Width;
      if (begin >= bar.ScrollingRectMaxX || end <= bar.ScrollingRectMaxX + 1) continue;
      ++cut;
      const auto x = static_cast<int>(begin) + 2, y = static_cast<int>(bar.BarRect.Min.y) + 2;
      const Picture part = crop(picture, x, y, static_cast<int>(bar.ScrollingRectMaxX) - 2 - x,
                                static_cast<int>(bar.BarRect.Max.y) - 2 - y);
      IM_CHECK(!part.rgba.empty());
      size_t others = 0;
      for (size_t at = 4; at < part.rgba.size(); ++at) others += part.rgba[at] != part.rgba[at % 4];
      IM_CHECK_EQ(others, 0u);
    }
    IM_CHECK_EQ(cut, 1);
    IM_CHECK(node->HasWindowMenuButton);
    ctx->ItemClick(ImGui::DockNodeGetWindowMenuButtonId(node));
    ctx->Yield(3);
    IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 1);
    ctx->ItemClick("//$FOCUSED/Variables###registers");
    ctx->Yield(6);
    IM_CHECK(node->VisibleWindow == last);
    IM_CHECK_EQ(ctx->UiContext->OpenPopupStack.Size, 0);
  });
  keep_picture("tab-list");
}

// A panel that the user has chosen stays in front while they type; otherwise a result chooses the
// front panel.
TEST_F(WindowTest, WhatWasChosenStaysInFrontWhenAResultComes) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    const auto front = [](const char* panel) {
      const ImGuiWindow* window = panel_window(panel);
      return window && window->Active && in_front(window);
    };
    app().send(command::Run{});
    wait_for_result(ctx);
    ctx->Yield(6);
    IM_CHECK(front("transactions"));
    IM_CHECK(front("times"));
    for (const char* panel : {"partitions", "ptx"}) app().send(command::FocusPanel{panel});
    ctx->Yield(6);
    app().send(command::EditText{app().session().text() + "\n// a thought\n"});
    ctx->Yield(3);
    wait_for_result(ctx);
    ctx->Yield(6);
    IM_CHECK(front("partitions"));
    IM_CHECK(front("ptx"));
    const std::string right = app().session().text();
    app().send(command::FocusPanel{"times"});
    ctx->Yield(6);
    app().send(command::EditText{right + "\nint x = ;\n"});
    ctx->Yield(3);
    wait_for_result(ctx);
    ctx->Yield(6);
    IM_CHECK(front("findings"));
    app().send(command::EditText{right});
    ctx->Yield(3);
    wait_for_result(ctx);
    ctx->Yield(6);
    IM_CHECK(front("times"));
    IM_CHECK(front("partitions"));
    // If the user has gone to the output, it stays in front, whatever the next result reports.
    app().send(command::EditText{right + "\nint x = ;\n"});
    ctx->Yield(3);
    wait_for_result(ctx);
    ctx->Yield(6);
    IM_CHECK(front("findings"));
    app().send(command::FocusPanel{"output"});
    app().send(command::EditText{right});
    ctx->Yield(3);
    wait_for_result(ctx);
    ctx->Yield(6);
    IM_CHECK(front("output"));
    app().send(command::FocusPanel{"times"});
    // For another block of the same text, the panel that the user looks at stays in front, whatever
    // was found.
    const size_t store = right.rfind("out[");
    IM_CHECK(store != std::string::npos);
    app().send(command::EditText{right.substr(0, store) + "out[n] = 1; " + right.substr(store)});
    ctx->Yield(3);
    wait_for_result(ctx);
    ctx->Yield(6);
    IM_CHECK(front("findings"));
    app().send(command::FocusPanel{"times"});
    ctx->Yield(6);
    app().send(command::SelectBlock{1});
    ctx->Yield(3);
    wait_for_result(ctx);
    ctx->Yield(6);
    IM_CHECK(app().view().record() && app().view().record()->warp.linear_block == 1);
    IM_CHECK(front("times"));
  });
}

// A card is visible as a whole after the request that opens it, not just its first line at the
// panel's edge.
void expect_card_in_sight(const ImGuiTestContext* ctx, const std::string& card) {
  const ImGuiWindow* found = nullptr;
  for (const ImGuiWindow* window : ctx->UiContext->Windows) {
    if (window->Active &&
        std::string_view(window->Name).find("/" + card + "_") != std::string_view::npos)
      found = window;
  }
  ASSERT_TRUE(found) << card;
  const ImRect text = found->ParentWindow->InnerRect;
  EXPECT_GT(found->Size.y, 40) << card;
  EXPECT_GE(found->Pos.y, text.Min.y) << card;
  EXPECT_LE(found->Pos.y + found->Size.y, text.Max.y + 1) << card;
}

TEST_F(WindowTest, HintsAndExplanationsComeIntoSight) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    const lab::Step& step = *app().session().step();
    for (size_t n = 0; n < step.questions.size(); ++n) {
      answer_in_text(ctx, n, 0);
      ctx->Yield(8);
      IM_CHECK(app().session().progress_of(step)->answered(step, static_cast<int>(n)));
      expect_card_in_sight(ctx, "question" + std::to_string(n));
    }
    for (size_t n = 0; n < step.exercise->hints.size(); ++n) {
      ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_H);
      ctx->Yield(8);
      expect_card_in_sight(ctx, "hint" + std::to_string(n));
    }
  });
}

TEST_F(WindowTest, ABlockOfCodeOfTheLabsTextIsCopied) {
  open("divergence", "shuffle");
  walk([this](ImGuiTestContext* ctx) {
    const std::string& text = app().session().step()->text;
    const size_t fence = text.find("```");
    IM_CHECK(fence != std::string::npos);
    const size_t begin = text.find('\n', fence) + 1;
    const std::string code = text.substr(begin, text.find("\n```", begin) - begin);
    ImGui::SetClipboardText("");
    ctx->ItemClick("**/copy");
    ctx->Yield(2);
    IM_CHECK_STR_EQ(ImGui::GetClipboardText(), code.c_str());
  });
}

TEST_F(WindowTest, HintsComeOneAtATimeAndAfreshKeepsTheText) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    const lab::Step& step = *app().session().step();
    ctx->ItemClick("**/Hint 1 of 3##hint");
    ctx->Yield(3);
    IM_CHECK_EQ(app().session().progress_of(step)->hints_shown, 1);

    select_line(ctx, 1);
    ctx->KeyChars("// my thoughts");
    ctx->Yield(2);
    ctx->ItemClick("**/Reset…##reset");
    ctx->Yield(3);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(app().session().text().starts_with("// my thoughts"));
    ctx->ItemClick("**/Reset…##reset");
    ctx->Yield(10);
    ctx->ItemClick("**/Reset##confirm");
    ctx->Yield(3);
    IM_CHECK_STR_EQ(app().session().text().c_str(), step.exercise->skeleton.c_str());
    // The student can look at the skeleton, too, and continue from it.
    IM_CHECK(!app().session().dirty());
  });
  bool kept = false;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home())) {
    if (!entry.is_regular_file()) continue;
    Result<std::string> text = read_file(entry.path());
    kept |= text.ok() && text->starts_with("// my thoughts");
  }
  EXPECT_TRUE(kept);
}

TEST_F(WindowTest, TheSolutionIsShownAsADifferenceBehindAQuestion) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    ctx->ItemClick("**/Solution…##solution");
    ctx->Yield(3);
    // Hints come first: one is shown, and nothing of the solution.
    ctx->ItemClick("**/Show a hint##hint");
    ctx->Yield(4);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 0);
    IM_CHECK_EQ(app().session().progress_of(*app().session().step())->hints_shown, 1);
    ctx->ItemClick("**/Solution…##solution");
    ctx->Yield(3);
    IM_CHECK(app().session().progress_of(*app().session().step()) == nullptr ||
             !app().session().progress_of(*app().session().step())->solution_shown);
    ctx->ItemClick("**/Show the solution##confirm");
    ctx->Yield(5);
    IM_CHECK(app().session().progress_of(*app().session().step())->solution_shown);
    // The solution is run for comparison: 4 sectors per request, next to the skeleton's.
    IM_CHECK(wait_until(ctx, [this] { return app().view().solution != nullptr; }));
    const lab::KernelRun& run = *app().view().solution->result.student();
    IM_CHECK_EQ(run.counters.global_load_sectors, 4 * run.counters.global_load_requests);
    // The change of a counter is next to both values.
    IM_CHECK(app().view().prepared != nullptr);
    const uint64_t before = app().view().prepared->result.student()->counters.global_load_sectors,
                   after = run.counters.global_load_sectors;
    bool change = false;
    for (const DrawnText& text : texts_of_frame(ctx))
      change |= text.text == "\u2212" + with_separators(before - after);
    IM_CHECK_GT(before, after);
    IM_CHECK(change);
    ctx->Yield(5);
    ctx->ItemClick("**/Put the solution into the editor##take");
    wait_for_result(ctx);
    IM_CHECK(app().view().latest->result.passed);
  });
  keep_picture("solution-taken");
}

TEST_F(WindowTest, ArrowsWalkTheAccessesAndNGoesOn) {
  open("coalescing", "structure-of-arrays");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    // Copied, because the result with predictions replaces these maps during the walk.
    const size_t selected = *app().view().selected;
    const size_t first = app().view().prepared->accesses.warp_of(selected).first;
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_3);  // from the editor to the map
    ctx->Yield(3);
    ctx->KeyPress(ImGuiKey_LeftArrow, 20);
    ctx->Yield(2);
    IM_CHECK_EQ(*app().view().selected, first);
    ctx->KeyPress(ImGuiKey_RightArrow);
    ctx->Yield(2);
    IM_CHECK_EQ(*app().view().selected, first + 1);
    ctx->KeyPress(ImGuiKey_DownArrow);
    ctx->Yield(2);
    IM_CHECK_EQ(app().view().record()->warp.warp, 1u);
    // A letter alone does nothing, wherever the keyboard focus is…
    const std::string step = app().session().step()->id;
    ctx->KeyPress(ImGuiKey_N);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(app().session().step()->id.c_str(), step.c_str());
    select_line(ctx, 1);
    ctx->KeyPress(ImGuiKey_N);
    ctx->Yield(2);
    IM_CHECK_STR_EQ(app().session().step()->id.c_str(), step.c_str());
    // …and Alt+N goes to the next step.
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_N);
    ctx->Yield(3);
    IM_CHECK(app().session().step()->id != step);
  });
}

TEST_F(WindowTest, AStopFreesTheWindowAtOnceWhateverRuns) {
  open("coalescing", "transpose-naive");
  walk([this](ImGuiTestContext* ctx) {
    for (int wait = 0; wait < 8; ++wait) {
      // Stop before the run's thread has started, or while compiling, emulating or predicting.
      app().send(command::EditText{app().session().text() + "//\n"});
      app().send(command::Run{});
      ctx->Yield(1 + wait);
      const bool ran = app().view().running;
      ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_F6);
      ctx->Yield(2);
      IM_CHECK(!app().view().running);
      IM_CHECK(!app().predicting() || !ran);
    }
    // Results of the stopped runs are not taken for the next one's.
    app().send(command::Run{});
    wait_for_result(ctx);
    IM_CHECK(!app().view().result()->stopped);
    IM_CHECK_STR_EQ(app().view().result()->source.c_str(), app().session().text().c_str());
  });
}

TEST_F(WindowTest, AKeyIsChangedByPressingItAndRemembered) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F1);
    ctx->Yield(3);
    ctx->ItemClick("**/auto-run-off");
    ctx->Yield(3);
    ctx->KeyPress(ImGuiKey_Escape);  // cancels; the dialog stays open
    ctx->Yield(3);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 1);
    IM_CHECK(app().settings().keys.empty());
    ctx->ItemClick("**/auto-run-off");
    ctx->Yield(3);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F7);
    ctx->Yield(3);
    IM_CHECK_STR_EQ(app().settings().keys.at("auto-run-off").c_str(), "Ctrl+F7");
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 0);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_F7);
    ctx->Yield(3);
    IM_CHECK(!app().settings().auto_run);
  });
  Result<std::string> saved = read_file(home() / "settings.json");
  ASSERT_TRUE(saved.ok());
  EXPECT_NE(saved->find("\"auto-run-off\": \"Ctrl+F7\""), std::string::npos);
}

TEST_F(WindowTest, ZoomingIsToldOnce) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    for (int n = 0; n < 3; ++n) ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_Equal);
    ctx->Yield(3);
    int told = 0;
    for (const Toast& toast : app().notices()) told += toast.text.starts_with("Zoom") ? 1 : 0;
    EXPECT_EQ(told, 1);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_0);
  });
}

// The editor returns every character unchanged, even if no font has it.
TEST_F(WindowTest, ATextWithAnyCharactersStaysAsItIs) {
  const std::string text =
      "// \u4e2d\u6587, \ud55c\uad6d, gr\u00f6\u00dfer, \U0001f600\n__global__ void brighten() "
      "{}\n";
  ASSERT_TRUE(write_file_atomically(home() / "work/coalescing/stride.cu", text).ok());
  open("coalescing", "stride");
  walk([&, this](ImGuiTestContext* ctx) {
    ctx->Yield(10);
    IM_CHECK_STR_EQ(app().session().text().c_str(), text.c_str());
    IM_CHECK(!app().session().dirty());
  });
}

// A value in the kernel is a number like any other: with a decimal comma in German.
TEST_F(WindowTest, ValuesAreWrittenAsTheLanguageWritesNumbers) {
  UiOptions german;
  german.language = "de";
  open("coalescing", "stride", german);
  walk([this](ImGuiTestContext* ctx) {
    std::string wrong = app().session().text();
    const size_t at = wrong.find("0.25f");
    IM_CHECK(at != std::string::npos);
    app().send(command::EditText{wrong.replace(at, 5, "0.26f")});
    app().send(command::Run{});
    wait_for_result(ctx);
    app().send(command::FocusPanel{"result"});
    ctx->Yield(4);
    int with_comma = 0;
    for (const DrawnText& text : texts_of_frame(ctx)) {
      if (text.window.find("###result") == std::string::npos) continue;
      for (size_t n = 1; n + 3 < text.text.size(); ++n) {
        const auto digit = [&](size_t k) {
          return std::isdigit(static_cast<unsigned char>(text.text[k])) != 0;
        };
        const bool mark = (text.text[n] == '.' || text.text[n] == ',') && text.text[n - 1] == '0' &&
                          (n == 1 || !digit(n - 2)) && digit(n + 1) && digit(n + 2);
        if (mark && text.text[n] == '.') ADD_FAILURE() << text.text;
        with_comma += mark && text.text[n] == ',' ? 1 : 0;
      }
    }
    EXPECT_GT(with_comma, 0);
    app().send(command::Reset{});  // times are only predicted for correct kernels
    IM_CHECK(wait_until(ctx, [&] {
      const lab::RunResult* result = app().view().result();
      return result && result->timed && result->timed->reference.prediction && !app().predicting();
    }));
    app().send(command::FocusPanel{"times"});
    ctx->Yield(4);
    int times = 0;
    for (const DrawnText& text : texts_of_frame(ctx)) {
      if (!text.text.ends_with(" µs")) continue;
      ++times;
      EXPECT_NE(text.text[text.text.size() - 6], '.') << text.text;  // "54,05 µs"
    }
    EXPECT_GT(times, 0);
    app().send(command::SetLanguage{"en"});
    ctx->Yield(2);
  });
}

// The class looks at the slide, not at where the keyboard focus was.
TEST_F(WindowTest, TheKeyboardsFrameIsGoneOnTheNextScene) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::GiveLecture{});
    ctx->Yield(10);
    ctx->UiContext->NavCursorVisible = true;  // as after Tab
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(3);
    IM_CHECK(!ctx->UiContext->NavCursorVisible);
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(3);
    IM_CHECK(!ctx->UiContext->NavCursorVisible);
    app().send(command::GiveLecture{});
    ctx->Yield(3);
  });
}

}  // namespace
}  // namespace warpshop::ui
