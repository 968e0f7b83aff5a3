// A lecture given with the keyboard, as from a lectern: hidden until revealed, scene by scene,
// without touching anything of the student's.
#include <algorithm>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "core/files.h"
#include "imgui_internal.h"
#include "text_check.h"
#include "window/layout.h"
#include "window_driver.h"

namespace warpshop::ui {
namespace {

TEST_F(WindowTest, TheTransposeIsGivenAsALectureAndTheStudentsTextStays) {
  open("coalescing", "transpose-naive");
  std::string before;
  walk([&, this](ImGuiTestContext* ctx) {
    select_line(ctx, 1);
    ctx->KeyChars("// my own text");
    ctx->Yield(2);
    before = app().session().text();
    ctx->KeyPress(ImGuiKey_F5);  // works while typing, too
    ctx->Yield(8);
    IM_CHECK(app().lecture().on());
    IM_CHECK(app().lecture().hidden());
    // The presenter's keys go to the lecture, not to the text.
    for (size_t scene = 0; scene < app().lecture().demo().scenes.size(); ++scene) {
      IM_CHECK_EQ(app().lecture().scene, scene);
      wait_for_result(ctx);
      IM_CHECK(app().lecture().hidden());
      ctx->KeyPress(ImGuiKey_PageDown);
      ctx->Yield(3);
      IM_CHECK(!app().lecture().hidden());
      IM_CHECK_EQ(app().lecture().scene, scene);
      const lab::Scene& current = app().lecture().current();
      if (!current.number.empty()) {
        IM_CHECK(app().lecture().number.has_value());
      } else {
        IM_CHECK(app().view().access() != nullptr);
        IM_CHECK_EQ(app().view().access()->line, current.line);
      }
      // The lecture's claims: 32 sectors for the column, a 32-way conflict in the tile, 1 wavefront
      // once it is padded, 8 loads in flight.
      if (scene == 3) IM_CHECK_EQ(app().view().access()->cost, 32);
      if (scene == 5) IM_CHECK_EQ(app().view().access()->cost, 4);
      if (scene == 6) IM_CHECK_EQ(app().view().access()->cost, 32);
      if (scene == 7) IM_CHECK_EQ(app().view().access()->cost, 1);
      if (scene == 8) IM_CHECK_EQ(app().lecture().number->value, 1.0);
      if (scene == 9) IM_CHECK_EQ(app().lecture().number->value, 8.0);
      ctx->KeyPress(ImGuiKey_PageDown);
      ctx->Yield(3);
    }
    // After the end the last scene stays.
    IM_CHECK_EQ(app().lecture().scene + 1, app().lecture().demo().scenes.size());
    ctx->KeyPress(ImGuiKey_PageUp);
    ctx->Yield(3);
    IM_CHECK_EQ(app().lecture().scene + 2, app().lecture().demo().scenes.size());
    IM_CHECK(!app().lecture().hidden());  // has been revealed before
  });
  keep_picture("lecture-back");
  walk([&, this](ImGuiTestContext* ctx) {
    // Commands for the student's work do nothing here.
    app().send(command::Reset{});
    app().send(command::TakeSolution{});
    ctx->KeyPress(ImGuiKey_Z);
    ctx->Yield(3);
    IM_CHECK(app().lecture().on());
    ctx->KeyPress(ImGuiKey_L);
    ctx->KeyPress(ImGuiKey_B);
    ctx->Yield(2);
    IM_CHECK(app().lecture().laser);
    IM_CHECK(app().lecture().blank);
    ctx->KeyPress(ImGuiKey_B);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(app().lecture().on());  // a key too many does not end it
    IM_CHECK(something_is_said(ctx));
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(6);
    IM_CHECK(!app().lecture().on());
    IM_CHECK_STR_EQ(app().session().text().c_str(), before.c_str());
    IM_CHECK_STR_EQ(app().session().step()->id.c_str(), "transpose-naive");
  });
  // The text was saved when the lecture started, and no scene was written anywhere.
  Result<std::string> saved = read_file(home() / "work/coalescing/transpose-naive.cu");
  ASSERT_TRUE(saved.ok());
  EXPECT_EQ(*saved, before);
  for (const auto& entry : std::filesystem::recursive_directory_iterator(home())) {
    if (entry.path().extension() != ".cu") continue;
    EXPECT_EQ(read_file(entry.path()).value().find("a thread walks down a column"),
              std::string::npos);
  }
}

TEST_F(WindowTest, TheSpaceBarAndTheArrowsTurnTheScenesAsInASlideShow) {
  open("coalescing", "transpose-naive");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(8);
    app().send(command::GoToScene{0});  // a number
    ctx->Yield(4);
    const auto press = [&](ImGuiKey key) {
      ctx->KeyPress(key);
      ctx->Yield(3);
    };
    press(ImGuiKey_Space);
    IM_CHECK(!app().lecture().hidden());
    press(ImGuiKey_RightArrow);
    IM_CHECK_EQ(app().lecture().scene, 1U);
    IM_CHECK(app().lecture().hidden());
    press(ImGuiKey_RightArrow);
    IM_CHECK(!app().lecture().hidden());
    press(ImGuiKey_LeftArrow);
    IM_CHECK_EQ(app().lecture().scene, 0U);
    app().send(command::GoToScene{2});  // a map, whose accesses the arrows walk
    ctx->Yield(4);
    press(ImGuiKey_RightArrow);
    wait_for_result(ctx);
    const std::optional<size_t> access = app().view().selected;
    press(ImGuiKey_RightArrow);
    IM_CHECK_EQ(app().lecture().scene, 2U);
    IM_CHECK(app().view().selected != access);
  });
}

// Keys that change the scene, or end the lecture, only light a dark screen.
TEST_F(WindowTest, NothingHappensUnseenOnADarkScreen) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(8);
    app().send(command::GoToScene{1});
    ctx->Yield(4);
    const auto expect_only_light = [&](const char* key) {
      EXPECT_FALSE(app().lecture().blank) << key;
      EXPECT_EQ(app().lecture().scene, 1U) << key;
      EXPECT_TRUE(app().lecture().hidden()) << key;
    };
    for (const ImGuiKey key : {ImGuiKey_PageDown, ImGuiKey_PageUp, ImGuiKey_Escape}) {
      ctx->KeyPress(ImGuiKey_B);
      ctx->Yield(2);
      IM_CHECK(app().lecture().blank);
      ctx->KeyPress(key);
      ctx->Yield(3);
      IM_CHECK(app().lecture().on());
      expect_only_light(ImGui::GetKeyName(key));
    }
    ctx->KeyPress(ImGuiKey_B);
    ctx->KeyPress(ImGuiKey_3);
    ctx->KeyPress(ImGuiKey_Enter);
    ctx->Yield(3);
    expect_only_light("a number");
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(3);
    IM_CHECK(!app().lecture().hidden());
  });
}

TEST_F(WindowTest, AfterALectureTheMapsAreTheStudentsAgain) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F6);
    wait_for_result(ctx);
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(8);
    wait_for_result(ctx);
    IM_CHECK(app().view().latest->result.source != app().session().step()->exercise->skeleton);
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(6);
    wait_for_result(ctx);
    IM_CHECK_STR_EQ(app().view().latest->result.step.c_str(), "stride");
    IM_CHECK_STR_EQ(app().view().latest->result.source.c_str(), app().session().text().c_str());
  });
}

// The tabs of every dock, in their order, with a * after the one in front.
std::vector<std::string> tabs_of_docks() {
  std::vector<std::string> out;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const ImGuiDockNode* node = window->DockNode;
    if (!window->WasActive || !node || node->VisibleWindow != window || !node->TabBar) continue;
    std::string& dock = out.emplace_back();
    for (const ImGuiTabItem& tab : node->TabBar->Tabs) {
      dock += std::string(tab.Window->Name).substr(std::string(tab.Window->Name).find("###") + 3) +
              (tab.Window == window ? "* " : " ");
    }
  }
  std::sort(out.begin(), out.end());
  return out;
}

TEST_F(WindowTest, AfterALectureTheDeskIsAsItWas) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    for (const bool from_home : {false, true}) {
      app().send(command::OpenStep{"bank-conflicts", "column"});
      ctx->Yield(4);
      app().send(command::Run{});
      wait_for_result(ctx);
      wait_until(ctx, [this] { return !app().busy(); });
      ctx->Yield(10);
      const std::vector<std::string> before = tabs_of_docks();
      if (from_home) app().send(command::OpenHome{});
      ctx->Yield(4);
      app().send(command::GiveLecture{"occupancy"});
      ctx->Yield(8);
      IM_CHECK(app().lecture().on());
      for (size_t scene = 0; scene < app().lecture().demo().scenes.size(); ++scene) {
        app().send(command::GoToScene{scene});
        ctx->Yield(2);
        wait_for_result(ctx);
        ctx->Yield(4);
      }
      app().send(command::GiveLecture{});
      ctx->Yield(4);
      IM_CHECK(!app().lecture().on());
      IM_CHECK_EQ(app().view().home, from_home);
      if (from_home) app().send(command::CloseHome{});
      ctx->Yield(4);
      wait_for_result(ctx);
      wait_until(ctx, [this] { return !app().busy(); });
      ctx->Yield(20);
      const std::vector<std::string> after = tabs_of_docks();
      for (size_t n = 0; n < std::max(before.size(), after.size()); ++n) {
        IM_CHECK_STR_EQ(n < after.size() ? after[n].c_str() : "",
                        n < before.size() ? before[n].c_str() : "");
      }
    }
  });
}

// In a narrow window, where the steps and the editor are tabs of one dock.
TEST_F(WindowTest, TheTabsAreAsChosenAfterALectureAndAfterZooming) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::Run{});
    wait_for_result(ctx);
    wait_until(ctx, [this] { return !app().busy(); });
    for (const int width : {1600, 1000}) {
      resize(ctx, width, 1000);
      ctx->Yield(20);
      for (const char* panel : {"times", "roofline", "editor"}) {
        app().send(command::FocusPanel{panel});
        ctx->Yield(6);
      }
      const std::vector<std::string> before = tabs_of_docks();
      const auto expect_same = [&](const char* after) {
        ctx->Yield(20);
        EXPECT_EQ(tabs_of_docks(), before) << "after " << after << " at " << width;
      };
      app().send(command::GiveLecture{});
      ctx->Yield(8);
      IM_CHECK(app().lecture().on());
      app().send(command::GiveLecture{});
      wait_for_result(ctx);
      wait_until(ctx, [this] { return !app().busy(); });
      expect_same("a lecture");
      app().send(command::Zoom{4});
      ctx->Yield(20);
      app().send(command::Zoom{0});
      expect_same("zooming");
    }
  });
}

// The page of all labs has no open lab; and a first scene stays revealed as any other.
TEST_F(WindowTest, AmongAllLabsTheLectureThatEndedLastGoesOn) {
  open("coalescing", "stride");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::OpenHome{});
    ctx->Yield(4);
    app().send(command::GiveLecture{"tiling"});
    ctx->Yield(8);
    ctx->KeyPress(ImGuiKey_PageDown);
    ctx->Yield(3);
    IM_CHECK(!app().lecture().hidden());
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(8);
    IM_CHECK(!app().lecture().on());
    IM_CHECK(app().view().home);
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(8);
    IM_CHECK(app().lecture().on());
    IM_CHECK_STR_EQ(app().lecture().lab->id.c_str(), "tiling");
    IM_CHECK_EQ(app().lecture().scene, 0U);
    IM_CHECK(!app().lecture().hidden());
  });
}

TEST_F(WindowTest, ALectureIsTwiceTheSizeAndHasItsLayoutInEveryMode) {
  open("bank-conflicts", "pad");
  walk([this](ImGuiTestContext* ctx) {
    const float size = ImGui::GetStyle().FontScaleMain;
    for (const ImGuiKeyChord mode : {ImGuiKey_2, ImGuiKey_3, ImGuiKey_1}) {
      ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | mode);
      ctx->Yield(8);
      ctx->KeyPress(ImGuiKey_F5);
      ctx->Yield(8);
      IM_CHECK(app().lecture().on());
      IM_CHECK_FLOAT_NEAR_EQ(ImGui::GetStyle().FontScaleMain, 2 * size, 1e-4f);
      ctx->KeyPress(ImGuiKey_F5);
      ctx->Yield(8);
      IM_CHECK(!app().lecture().on());
      IM_CHECK_FLOAT_NEAR_EQ(ImGui::GetStyle().FontScaleMain, size, 1e-4f);
    }
    IM_CHECK(app().settings().mode == Mode::kStudent);
    ctx->KeyPress(ImGuiMod_Ctrl | ImGuiMod_Alt | ImGuiKey_2);
    ctx->Yield(3);
    IM_CHECK(app().settings().mode == Mode::kAnalysis);
  });
  keep_picture("analysis");
}

// Every scene of every lab's script, hidden and revealed, on three common screens of lecture halls:
// nothing is clipped, and nothing is cut, since nobody in the last row can point at it.
class LectureFits : public WindowTest, public ::testing::WithParamInterface<std::string> {
 protected:
  size_t code_rows_ = 0;
};

std::vector<std::string> labs_with_a_script() {
  std::vector<std::string> labs;
  for (const auto& lab :
       std::filesystem::directory_iterator(std::filesystem::path(WARPSHOP_SOURCE_DIR) / "labs")) {
    if (std::filesystem::exists(lab.path() / "demo.toml")) labs.push_back(lab.path().filename());
  }
  std::sort(labs.begin(), labs.end());
  return labs;
}

TEST_P(LectureFits, OnEveryScreenInBothThemes) {
  const struct { int width, height; } kScreens[] = {{1920, 1080}, {1600, 1000}, {1280, 720}};
  open(GetParam(), "");
  walk([this, &kScreens](ImGuiTestContext* ctx) {
    ctx->MouseMoveToPos({1, 700});
    app().send(command::GiveLecture{});
    ctx->Yield(8);
    IM_CHECK(app().lecture().on());
    const size_t scenes = app().lecture().demo().scenes.size();
    for (size_t scene = 0; scene < scenes; ++scene) {
      IM_CHECK_EQ(app().lecture().scene, scene);
      wait_for_result(ctx);
      app().send(command::SetTheme{scene % 2 == 0 ? ThemeChoice::kDark : ThemeChoice::kLight});
      for (const bool revealed : {false, true}) {
        if (revealed) app().send(command::Advance{});
        for (const auto& screen : kScreens) {
          if (!revealed && screen.height != 1000) continue;  // the curtain has the map's layout
          resize(ctx, screen.width, screen.height);
          const std::string where =
              GetParam() + " scene " + std::to_string(scene + 1) + (revealed ? "" : " hidden") +
              " on " + std::to_string(screen.width) + "×" + std::to_string(screen.height);
          const std::vector<DrawnText> texts = texts_of_frame(ctx);
          for (const std::string& misfit : misfits(texts)) ADD_FAILURE() << where << ": " << misfit;
          // Sliders are always in the same order, whichever fit.
          std::vector<size_t> sliders;
          for (const DrawnText& text : texts) {
            const char* const kSliders[] = {"Threads per block", "Registers per thread",
                                            "Shared memory per block"};
            for (size_t n = 0; n < std::size(kSliders); ++n) {
              if (text.text == kSliders[n] && text.window.find("occupancy") != std::string::npos)
                sliders.push_back(n);
            }
          }
          EXPECT_TRUE(std::is_sorted(sliders.begin(), sliders.end())) << where;
          // A panel about a whole run may cut texts: the class looks at its picture.
          const std::string panel = "###" + std::string(app().lecture().panel());
          const bool whole = app().lecture().current().show != lab::Scene::Show::kPanel;
          for (const DrawnText& text : texts) {
            EXPECT_FALSE(whole && text.text.ends_with(" more below"))
                << where << ": “" << text.text << "”";
            EXPECT_TRUE(!text.cut || (!whole && text.window.find(panel) != std::string::npos))
                << where << ": “" << text.text << "” is cut";
            if (text.text.starts_with("code ")) {  // nobody in a hall can scroll to a line's end
              ++code_rows_;
              EXPECT_LE(text.max.x, text.room_max.x)
                  << where << ": “" << text.text << "” runs out of the editor";
            }
            // Legible from the last row: a line of at least 1/45 of the height.
            EXPECT_GE(text.max.y - text.min.y, static_cast<float>(screen.height) / 45)
                << where << ": “" << text.text << "” is small";
          }
          // The limiter is visible, even if not everything has room.
          const auto limits = std::find_if(texts.begin(), texts.end(), [](const DrawnText& t) {
            return t.text.ends_with(" · limits");
          });
          if (limits != texts.end()) {
            EXPECT_LE(limits->max.y, limits->room_max.y) << where << ": the limiter is below";
          }
          // The line that the scene is about, or else the kernel's first line, is visible as a
          // whole, wrapped or not.
          const lab::Scene& about = app().lecture().current();
          const std::string pointed =
              "code " + std::to_string(about.line > 0 ? about.line : kernel_line(about)) + ":";
          for (const DrawnText& text : texts) {
            if (!text.text.starts_with(pointed)) continue;
            EXPECT_TRUE(text.min.y >= text.room_min.y - 1 && text.max.y <= text.room_max.y + 1)
                << where << ": “" << text.text << "” is not in sight: at " << text.min.y << " to "
                << text.max.y << " of " << text.room_min.y << " to " << text.room_max.y;
            // With what follows it, unless the kernel ends there, or the text.
            std::istringstream source(about.source);
            std::string code;
            int lines = 0, closing = 0;
            while (std::getline(source, code)) {
              if (++lines >= kernel_line(about) && closing == 0 && code.starts_with('}'))
                closing = lines;
            }
            const int end = closing >= about.line ? closing : lines;
            const std::string last = "code " + std::to_string(end) + ":";
            const bool ends = std::any_of(texts.begin(), texts.end(), [&](const DrawnText& t) {
              return t.text.starts_with(last) && t.max.y <= t.room_max.y + 1;
            });
            const float room = text.room_max.y - text.room_min.y;
            EXPECT_TRUE(ends || text.max.y <= text.room_min.y + room * 2 / 3 + 1)
                << where << ": “" << text.text << "” is at the lower edge";
          }
          // The script's text is visible as a whole.
          const lab::Scene& now = app().lecture().current();
          for (const std::string& words : {now.say, revealed ? now.answer : now.ask}) {
            if (words.empty()) continue;
            const auto said = std::find_if(texts.begin(), texts.end(),
                                           [&](const DrawnText& t) { return t.text == words; });
            IM_CHECK(said != texts.end());
          }
          if (revealed && std::getenv("WARPSHOP_LECTURE_PICTURES")) {
            keep_picture(ctx, "lecture-" + GetParam() + "-" + std::to_string(scene + 1) + "-" +
                                  std::to_string(screen.height));
          }
        }
      }
      app().send(command::Advance{});
      ctx->Yield(3);
    }
  });
  EXPECT_GT(code_rows_, 0u);
}
INSTANTIATE_TEST_SUITE_P(Labs, LectureFits, ::testing::ValuesIn(labs_with_a_script()),
                         [](const auto& lab) {
                           std::string name = lab.param;
                           std::erase(name, '-');
                           return name;
                         });

// The mouse that rests between two panels draws nothing on the slide.
TEST_F(WindowTest, ASlideHasNoBarWhereTheMouseRests) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    app().send(command::GiveLecture{});
    ctx->Yield(8);
    wait_for_result(ctx);
    const ImGuiWindow* scene = panel_window("scene");
    IM_CHECK(scene && scene->DockNode);
    const ImRect words = scene->DockNode->Rect();
    const ImVec2 gap{words.GetCenter().x, words.Min.y - ImGui::GetStyle().DockingSeparatorSize / 2};
    const auto color = [&](const Picture& picture) {
      const size_t at = 4 * (static_cast<size_t>(gap.y) * static_cast<size_t>(picture.width) +
                             static_cast<size_t>(gap.x + words.GetWidth() / 4));
      return std::vector<uint8_t>(picture.rgba.begin() + static_cast<long>(at),
                                  picture.rgba.begin() + static_cast<long>(at) + 3);
    };
    ctx->MouseMoveToPos(words.GetCenter());
    ctx->Yield(4);
    const std::vector<uint8_t> before = color(take_picture(ctx));
    ctx->MouseMoveToPos(gap);
    ctx->SleepNoSkip(0.3f, 1.0f / 30);  // it would come after a moment
    IM_CHECK_EQ(ctx->UiContext->MouseCursor, ImGuiMouseCursor_ResizeNS);  // over the border
    EXPECT_EQ(color(take_picture(ctx)), before);
  });
}

TEST_F(WindowTest, TheTourKeepsOutOfALecture) {
  open("coalescing", "one-warp");
  walk([this](ImGuiTestContext* ctx) {
    const auto card = [ctx] {
      const ImGuiWindow* window = ctx->GetWindowByRef("//##tour");
      return window && window->Active;
    };
    app().send(command::ShowTour{});
    ctx->Yield(4);
    IM_CHECK(card());
    app().send(command::GiveLecture{});
    ctx->Yield(8);
    IM_CHECK(app().lecture().on());
    IM_CHECK(!card());
    app().send(command::GiveLecture{});
    ctx->Yield(8);
    IM_CHECK(card());
  });
}

TEST_F(WindowTest, ALabWithoutAScriptSaysSo) {
  // A copy of the labs without one of the scripts.
  const std::filesystem::path data = home() / "data", from = data_dir();
  std::filesystem::create_directories(data);
  for (const auto& entry : std::filesystem::directory_iterator(from)) {
    if (entry.path().filename() == "labs") continue;
    std::filesystem::create_symlink(std::filesystem::canonical(entry.path()),
                                    data / entry.path().filename());
  }
  std::filesystem::copy(std::filesystem::canonical(from / "labs"), data / "labs",
                        std::filesystem::copy_options::recursive);
  std::filesystem::remove(data / "labs/divergence/demo.toml");
  setenv("WARPSHOP_DATA", data.c_str(), 1);
  open("divergence", "masks");
  walk([this](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiKey_F5);
    ctx->Yield(3);
    IM_CHECK(!app().lecture().on());
  });
  unsetenv("WARPSHOP_DATA");
}

TEST_F(WindowTest, TheGlossaryIsSearchedAndEscClosesIt) {
  open("coalescing", "stride");
  walk([](ImGuiTestContext* ctx) {
    ctx->KeyPress(ImGuiMod_Shift | ImGuiKey_F2);
    ctx->Yield(3);
    ctx->KeyChars("wavefront");
    ctx->Yield(3);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 1);
    ctx->KeyPress(ImGuiKey_Escape);
    ctx->Yield(3);
    IM_CHECK(ctx->UiContext->OpenPopupStack.Size == 0);
  });
}

}  // namespace
}  // namespace warpshop::ui
