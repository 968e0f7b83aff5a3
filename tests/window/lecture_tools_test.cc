// The lecturer's tools: full screen, a scene by its number, another panel, clock;
// and numbers that are on one line on every screen.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <sstream>

#include "draw/tooltip.h"
#include "imgui_internal.h"
#include "lecture_driver.h"
#include "text/format.h"
#include "text_check.h"

namespace warpshop::ui {
namespace {

class LectureTools : public LectureDriver {};

// The number of every scene is short ("18", not "18.24") and on one line, never hidden or cut.
class LectureNumbers : public LectureTools, public ::testing::WithParamInterface<std::string> {};

std::vector<std::string> labs_with_a_lecture() {
  std::vector<std::string> labs;
  for (const auto& lab :
       std::filesystem::directory_iterator(std::filesystem::path(WARPSHOP_SOURCE_DIR) / "labs")) {
    if (std::filesystem::exists(lab.path() / "demo.toml")) labs.push_back(lab.path().filename());
  }
  std::sort(labs.begin(), labs.end());
  return labs;
}

// Expects even, centred rows below the number, without a short last row, and then the ideal.
void expect_even_caption(const std::vector<DrawnText>& texts, const DrawnText& number,
                         const std::string& unit, const std::string& where) {
  std::string said;
  size_t longest_word = 0, shortest = std::string::npos, longest = 0;
  for (const DrawnText& text : texts) {
    if (text.window != number.window || text.min.y < number.max.y - 1) continue;
    EXPECT_NEAR(text.min.x + text.max.x, number.min.x + number.max.x, 3)
        << where << ": “" << text.text << "” is not in the middle";
    if (text.text.starts_with("ideal ")) continue;
    said += (said.empty() ? "" : " ") + text.text;
    shortest = std::min(shortest, text.text.size());
    longest = std::max(longest, text.text.size());
  }
  EXPECT_EQ(said, unit) << where;
  std::istringstream words(unit);
  for (std::string word; words >> word;) longest_word = std::max(longest_word, word.size());
  EXPECT_LE(longest, shortest + longest_word + 2) << where << ": ragged rows of “" << unit << "”";
}

TEST_P(LectureNumbers, StandOnOneLine) {
  const struct {
    int width, height;
    float zoom;
  } kScreens[] = {{1600, 1000, 1}, {1920, 1080, 1}, {1920, 1080, 2}, {1280, 720, 1},
                  {1024, 768, 1},  {1366, 768, 2},  {1024, 768, 2},  {800, 500, 1},
                  {800, 500, 2},   {3840, 2160, 1}, {3840, 2160, 2}};
  open(GetParam(), "");
  walk([this, &kScreens](ImGuiTestContext* ctx) {
    begin(ctx);
    IM_CHECK(app().lecture().on());
    const std::vector<lab::Scene>& scenes = app().lecture().demo().scenes;
    for (size_t scene = 0; scene < scenes.size(); ++scene) {
      if (scenes[scene].show != lab::Scene::Show::kNumber) continue;
      app().send(command::GoToScene{scene});
      ctx->Yield(3);
      wait_for_result(ctx);
      if (app().lecture().hidden()) app().send(command::Advance{});
      ctx->Yield(2);
      IM_CHECK(app().lecture().number.has_value());
      const std::string number =
          local_number(lab::said_number(scenes[scene], app().lecture().number->value));
      EXPECT_LE(number.size(), 6U)
          << GetParam() << " scene " << scene + 1 << ": nobody says " << number;
      for (const auto& screen : kScreens) {
        resize(ctx, screen.width, screen.height);
        app().send(command::Zoom{0});
        if (screen.zoom != 1) app().send(command::Zoom{screen.zoom});
        const std::string where = GetParam() + " scene " + std::to_string(scene + 1) + " on " +
                                  std::to_string(screen.width) + "×" +
                                  std::to_string(screen.height) + " at " +
                                  std::to_string(screen.zoom);
        const std::vector<DrawnText> texts = texts_of_frame(ctx);
        const auto drawn = std::find_if(texts.begin(), texts.end(), [&](const DrawnText& text) {
          return text.text == number && text.window.find("###number") != std::string::npos;
        });
        ASSERT_NE(drawn, texts.end()) << where;
        const ImVec2 size{drawn->max.x - drawn->min.x, drawn->max.y - drawn->min.y};
        const ImVec2 line = text_size(look().fonts->bold, 100, number);
        EXPECT_NEAR(size.x / size.y, line.x / line.y, 0.08f * line.x / line.y)
            << where << ": “" << number << "” is no line";
        EXPECT_FALSE(drawn->cut) << where;
        EXPECT_GE(drawn->min.x, drawn->room_min.x - 1) << where;
        EXPECT_LE(drawn->max.x, drawn->room_max.x + 1) << where;
        EXPECT_GE(drawn->min.y, drawn->room_min.y - 1) << where;
        EXPECT_LE(drawn->max.y, drawn->room_max.y + 1) << where;
        expect_even_caption(texts, *drawn, scenes[scene].unit, where);
      }
    }
  });
}
INSTANTIATE_TEST_SUITE_P(Labs, LectureNumbers, ::testing::ValuesIn(labs_with_a_lecture()),
                         [](const auto& lab) {
                           std::string name = lab.param;
                           std::erase(name, '-');
                           return name;
                         });

TEST_F(LectureTools, TheKeysAreTheLecturesWhenTheWindowOpensWithIt) {
  UiOptions lecture;
  lecture.mode = "lecture";
  open("bank-conflicts", "", lecture);
  walk([this](ImGuiTestContext* ctx) {
    ctx->Yield(10);
    wait_for_result(ctx);
    ctx->Yield(10);
    IM_CHECK(app().lecture().on());
    IM_CHECK(app().lecture().hidden());
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(2);
    IM_CHECK(!app().lecture().hidden());
    const std::string text = app().session().text();
    ctx->KeyChars("x");
    ctx->Yield(2);
    IM_CHECK_STR_EQ(app().session().text().c_str(), text.c_str());
  });
}

TEST_F(LectureTools, ASceneIsGoneToByItsNumberAndFromTheList) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    ctx->KeyPress(ImGuiKey_5);
    ctx->Yield(2);
    IM_CHECK_EQ(app().lecture().typed, 5);
    IM_CHECK_EQ(app().lecture().scene, 0U);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    IM_CHECK_EQ(app().lecture().scene, 4U);
    IM_CHECK(app().lecture().hidden());
    // A number without a scene is reported, and Esc deletes a digit without ending the lecture.
    ctx->KeyPress(ImGuiKey_9);
    ctx->KeyPress(ImGuiKey_Keypad1);
    ctx->Yield(2);
    IM_CHECK_EQ(app().lecture().typed, 91);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(2);
    IM_CHECK(app().lecture().on());
    IM_CHECK_EQ(app().lecture().typed, 0);
    ctx->KeyPress(ImGuiKey_8);
    ctx->KeyPress(ImGuiKey_KeypadEnter);
    ctx->Yield(3);
    IM_CHECK_EQ(app().lecture().scene, 4U);
    IM_CHECK(something_is_said(ctx));
    // The list starts at the current scene.
    ctx->KeyPress(ImGuiKey_S);
    ctx->Yield(4);
    const std::vector<DrawnText> texts = texts_of_frame(ctx);
    for (const lab::Scene& scene : app().lecture().demo().scenes) {
      IM_CHECK(std::any_of(texts.begin(), texts.end(), [&](const DrawnText& t) {
        return t.text == scene.title && t.window.find("scenes") != std::string::npos;
      }));
    }
    ctx->KeyPress(ImGuiKey_UpArrow, 2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK_EQ(app().lecture().scene, 2U);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 0);
    // In the list, too, a number selects its scene.
    ctx->KeyPress(ImGuiKey_S);
    ctx->Yield(4);
    ctx->KeyPress(ImGuiKey_4);
    ctx->Yield(2);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(4);
    IM_CHECK_EQ(app().lecture().scene, 3U);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 0);
    // Esc only closes the list.
    ctx->KeyPress(ImGuiKey_S);
    ctx->Yield(4);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
    IM_CHECK(app().lecture().on());
    // The button opens it as well.
    ctx->ItemClick("//top_bar/###scenes");
    ctx->Yield(4);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 1);
  });
}

// The scene's notes and the lab's page for instructors are one key away, and go with the same key.
TEST_F(LectureTools, NotesAreOneKeyAway) {
  open("coalescing", "");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    const auto shows = [&](const std::string& words) { return is_drawn(ctx, words); };
    const struct {
      ImGuiKey key;
      const char* words;
    } kNotes[] = {{ImGuiKey_N, "min since the start"}, {ImGuiKey_I, "Timing"}};
    for (const auto& notes : kNotes) {
      IM_CHECK(!shows(notes.words));
      ctx->KeyPress(notes.key);
      ctx->Yield(4);
      IM_CHECK(shows(notes.words));
      ctx->KeyPress(notes.key);
      ctx->Yield(4);
      IM_CHECK(!shows(notes.words));
      IM_CHECK(app().lecture().on());
    }
  });
}

// An answered question is not asked again, and returning to a question does not answer it.
TEST_F(LectureTools, ASceneIsAsItWasLeft) {
  open("coalescing", "");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    const auto go = [&](ImGuiKey number) {
      ctx->KeyPress(number);
      ctx->KeyPress(ImGuiKey_Enter);
      ctx->Yield(3);
    };
    go(ImGuiKey_6);
    IM_CHECK(app().lecture().hidden());
    ctx->KeyPress(ImGuiKey_PageUp);
    ctx->Yield(3);
    IM_CHECK_EQ(app().lecture().scene, 4U);
    IM_CHECK(app().lecture().hidden());  // nobody has revealed it yet
    go(ImGuiKey_6);
    IM_CHECK(app().lecture().hidden());
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(3);
    go(ImGuiKey_2);
    go(ImGuiKey_6);
    IM_CHECK(!app().lecture().hidden());
    ctx->KeyPress(ImGuiKey_Escape, 2);
    ctx->Yield(6);
    IM_CHECK(!app().lecture().on());
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(8);
    IM_CHECK_EQ(app().lecture().scene, 5U);
    IM_CHECK(!app().lecture().hidden());
    ctx->KeyPress(ImGuiKey_PageUp);
    ctx->Yield(3);
    IM_CHECK(app().lecture().hidden());
    // A lecture to another class.
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(6);
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(8);
    go(ImGuiKey_1);
    go(ImGuiKey_6);
    IM_CHECK(app().lecture().hidden());
  });
}

// A lecture hall has its own zoom: a desk's would leave no room for the slide.
TEST_F(LectureTools, TheSizeOfADeskIsNotThatOfALecture) {
  open("tiling", "");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Zoom{2});
    begin(ctx);
    const float hall = look().scale;
    app().send(command::Zoom{4});
    ctx->Yield(3);
    EXPECT_NEAR(look().scale / hall, kMaxLectureZoom, 1e-3f);
    EXPECT_EQ(app().settings().zoom, 2);
    app().send(command::Zoom{0});
    ctx->Yield(3);
    EXPECT_EQ(look().scale, hall);
    app().send(command::GiveLecture{});
    ctx->Yield(3);
    EXPECT_EQ(app().settings().zoom, 2);
  });
}

// Lines that moved when the answer is revealed would have to be found again from the last row.
TEST_F(LectureTools, CodeStaysWhereItIsWhenTheAnswerIsRevealed) {
  open("coalescing", "");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    // The height of all its rows, and the scroll position.
    const auto code = [&] {
      const ImGuiWindow* found = nullptr;
      for (const ImGuiWindow* window : ctx->UiContext->Windows) {
        if (window->Active &&
            std::string_view(window->Name).find("/##code_") != std::string_view::npos)
          found = window;
      }
      return found ? std::pair(found->ContentSize.y, found->Scroll.y) : std::pair(0.0f, 0.0f);
    };
    size_t hidden = 0;
    for (size_t scene = 0; scene < app().lecture().demo().scenes.size(); ++scene) {
      app().send(command::GoToScene{scene});
      ctx->Yield(3);
      wait_for_result(ctx);
      ctx->Yield(12);
      if (!app().lecture().hidden()) continue;
      ++hidden;
      const std::pair<float, float> before = code();
      EXPECT_GT(before.first, 0);
      app().send(command::Advance{});
      ctx->Yield(12);
      EXPECT_EQ(code(), before) << "scene " << scene + 1;
    }
    EXPECT_GT(hidden, 3U);
  });
}

// The kernel loads, writes its tile, reads it and stores: on a slide about stores the arrows only
// select accesses to global memory.
TEST_F(LectureTools, TheArrowsSkipAccessesThatTheMapDoesNotShow) {
  open("partition-camping", "");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    IM_CHECK_STR_EQ(std::string(panel_of(app().lecture().current())).c_str(), "transactions");
    app().send(command::Advance{});
    ctx->Yield(3);
    wait_for_result(ctx);
    ctx->Yield(3);
    std::set<size_t> seen;
    for (const ImGuiKey key : {ImGuiKey_LeftArrow, ImGuiKey_RightArrow}) {
      for (int presses = 0; presses < 20; ++presses) {
        ctx->KeyPress(key);
        ctx->Yield(2);
        IM_CHECK(app().view().access() != nullptr);
        IM_CHECK(!app().view().access()->shared);
        seen.insert(*app().view().selected);
      }
    }
    EXPECT_EQ(seen.size(), 8U);  // four loads and four stores of the warp's rows
  });
}

TEST_F(LectureTools, AnyPanelComesInTheMapsPlaceAndGoesAgain) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    IM_CHECK(shown("curtain"));
    ctx->KeyPress(ImGuiMod_Alt | ImGuiKey_1);
    ctx->Yield(4);
    IM_CHECK(shown("occupancy"));
    IM_CHECK(!shown("curtain"));
    IM_CHECK(app().lecture().hidden());  // the answer is still hidden
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(4);
    IM_CHECK(shown("curtain"));
    IM_CHECK(!shown("occupancy"));
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(4);
    IM_CHECK(shown("banks"));
    const struct {
      ImGuiKeyChord keys;
      const char* panel;
    } kPanels[] = {
        {ImGuiMod_Alt | ImGuiKey_2, "ptx"},          {ImGuiMod_Alt | ImGuiKey_3, "schedulers"},
        {ImGuiMod_Alt | ImGuiKey_4, "roofline"},     {ImGuiMod_Alt | ImGuiKey_5, "partitions"},
        {ImGuiMod_Alt | ImGuiKey_6, "dram"},         {ImGuiMod_Alt | ImGuiKey_7, "compare"},
        {ImGuiMod_Alt | ImGuiKey_8, "times"},        {ImGuiMod_Ctrl | ImGuiKey_8, "warp"},
        {ImGuiMod_Ctrl | ImGuiKey_9, "registers"},   {ImGuiMod_Ctrl | ImGuiKey_5, "counters"},
        {ImGuiMod_Ctrl | ImGuiKey_3, "transactions"}};
    for (const auto& [keys, panel] : kPanels) {
      ctx->KeyPress(keys);
      ctx->Yield(4);
      IM_CHECK(shown(panel));
      IM_CHECK(!shown("banks"));
    }
    // The same key again, or Esc, returns to the scene's own panel.
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiKey_3);
    ctx->Yield(4);
    IM_CHECK(shown("banks"));
    app().send(command::FocusPanel{"dram"});
    ctx->Yield(4);
    IM_CHECK(shown("dram"));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(4);
    IM_CHECK(app().lecture().on());
    IM_CHECK(shown("banks"));
    app().send(command::FocusPanel{"dram"});
    app().send(command::MoveScene{1});
    ctx->Yield(4);
    IM_CHECK(!shown("dram"));
  });
}

TEST_F(LectureTools, ButtonsThatLeadNowhereAreDisabled) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    const auto disabled = [ctx](const char* button) {
      return (ctx->ItemInfo(button).ItemFlags & ImGuiItemFlags_Disabled) != 0;
    };
    IM_CHECK(disabled("//top_bar/Back##back"));
    IM_CHECK(!disabled("//top_bar/Reveal##advance"));
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(2);
    IM_CHECK(!disabled("//top_bar/Next##advance"));
    app().send(command::GoToScene{app().lecture().demo().scenes.size() - 1});
    ctx->Yield(3);
    IM_CHECK(!disabled("//top_bar/Back##back"));
    IM_CHECK(!disabled("//top_bar/Reveal##advance"));
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(2);
    IM_CHECK(disabled("//top_bar/Next##advance"));
  });
}

TEST_F(LectureTools, ALectureGoesOnAsItWasLeft) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    for (int key = 0; key < 3; ++key) {
      ctx->KeyPress(ImGuiKey_PageDown);
      ctx->Yield(3);
    }
    IM_CHECK_EQ(app().lecture().scene, 1U);
    IM_CHECK(!app().lecture().hidden());
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(8);
    IM_CHECK(!app().lecture().on());
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(8);
    IM_CHECK_EQ(app().lecture().scene, 1U);
    IM_CHECK(!app().lecture().hidden());
    IM_CHECK(app().lecture().seen.contains(0));
  });
}

TEST_F(LectureTools, NothingLiesOverTheSlide) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    begin(ctx);
    app().send(command::Advance{});
    ctx->Yield(40);
    const auto tooltip = [ctx] {
      return std::any_of(ctx->UiContext->Windows.begin(), ctx->UiContext->Windows.end(),
                         [](const ImGuiWindow* window) {
                           return window->Active && (window->Flags & ImGuiWindowFlags_Tooltip);
                         });
    };
    ctx->MouseMoveToPos({1200, 420});
    ctx->Yield(40);
    IM_CHECK(!tooltip());
    ctx->KeyDown(ImGuiMod_Ctrl);
    ctx->Yield(4);
    IM_CHECK(tooltip());  // if the lecturer asks for it
    ctx->KeyUp(ImGuiMod_Ctrl);
    ctx->Yield(4);
    app().send(command::Zoom{1.1f});
    app().send(command::Zoom{1.1f});
    ctx->Yield(4);
    int notices = 0;
    for (const ImGuiWindow* window : ctx->UiContext->Windows) {
      if (!window->Active || std::strncmp(window->Name, "##toast", 7) != 0) continue;
      ++notices;
      EXPECT_LE(window->Rect().Max.y, px(56)) << "it lies over the slide";
      const std::vector<DrawnText> texts = texts_of_frame(ctx);
      const auto gpu = std::find_if(texts.begin(), texts.end(), [](const DrawnText& t) {
        return t.text == "NVIDIA H200" && t.window == "top_bar";
      });
      ASSERT_NE(gpu, texts.end());
      EXPECT_LT(window->Rect().Max.x, gpu->min.x) << "it hides the GPU's name";
    }
    EXPECT_EQ(notices, 1);
    // The clock, if switched on.
    const auto clock = [](const std::vector<DrawnText>& texts) {
      return std::any_of(texts.begin(), texts.end(), [](const DrawnText& t) {
        return t.text.starts_with("0:") && t.window == "top_bar";
      });
    };
    IM_CHECK(!clock(texts_of_frame(ctx)));
    ctx->KeyPress(ImGuiKey_T);
    IM_CHECK(clock(texts_of_frame(ctx)));
  });
}

TEST_F(LectureTools, TheWindowFillsTheScreenAndComesBack) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    resize(ctx, 1200, 800);  // smaller than the screen
    int width = 0, height = 0, full_width = 0, full_height = 0;
    app().window().size(width, height);
    IM_CHECK(!app().window().full_screen());
    ctx->KeyPress(ImGuiKey_F11);
    ctx->Yield(10);
    IM_CHECK(app().window().full_screen());
    app().window().size(full_width, full_height);
    IM_CHECK(full_width != width || full_height != height);
    app().window().size_in_window(full_width, full_height);
    IM_CHECK_EQ(full_width, width);
    IM_CHECK_EQ(full_height, height);
    ctx->KeyPress(ImGuiKey_F11);
    const bool back = wait_until(ctx, [&, this] {
      app().window().size(full_width, full_height);
      return full_width == width && full_height == height;
    });
    IM_CHECK(back);
    IM_CHECK(!app().window().full_screen());
  });
}

}  // namespace
}  // namespace warpshop::ui
