#include "panels/toasts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "draw/widgets.h"
#include "imgui.h"

namespace warpshop::ui {
namespace {

Diagnostic mistake(int line) {
  return make_error_at({"votes/lab.toml", line, 3, 0}, "lab-file",
                       "line " + std::to_string(line) + " is wrong");
}

// Draws notices without a window.
class ImGuiFrames {
 public:
  ImGuiFrames() : context_(ImGui::CreateContext()) {
    ImGui::GetIO().BackendFlags |= ImGuiBackendFlags_RendererHasTextures;
    ImGui::GetIO().DisplaySize = {640, 480};
    ImGui::GetIO().IniFilename = nullptr;
    fonts_.regular = fonts_.medium = {ImGui::GetIO().Fonts->AddFontDefault(), 1};
    Look look = before_;
    look.fonts = &fonts_;
    look.theme = &dark_theme();
    use_look(look);
  }
  ~ImGuiFrames() {
    use_look(before_);
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      texture->WantDestroyNextFrame = true;
      texture->SetStatus(ImTextureStatus_Destroyed);
    }
    ImGui::DestroyContext(context_);
  }
  ImGuiFrames(const ImGuiFrames&) = delete;
  ImGuiFrames& operator=(const ImGuiFrames&) = delete;
  static void draw(Toasts& toasts, double now_s, int frames) {
    CommandQueue queue;
    for (; frames > 0; --frames) {
      ImGui::NewFrame();
      toasts.draw(now_s, std::nullopt, queue);
      ImGui::EndFrame();
    }
  }

 private:
  const Look before_ = look();
  Fonts fonts_;
  ImGuiContext* context_;
};

TEST(ToastsTest, TheNewestOfATopicTakesThePlaceOfTheOneBefore) {
  Toasts toasts;
  toasts.say("Zoom 110%", 1, "zoom");
  toasts.say("Saved", 1.5);
  toasts.say("Zoom 120%", 2, "zoom");
  toasts.say("Zoom 130%", 3, "zoom");
  ASSERT_EQ(toasts.all().size(), 2U);
  EXPECT_EQ(toasts.all()[0].text, "Zoom 130%");
  EXPECT_EQ(toasts.all()[0].shown_s, 3);  // its full time starts again
  EXPECT_EQ(toasts.all()[0].came_s, 1);   // and does not fade in again
  EXPECT_EQ(toasts.all()[1].text, "Saved");
}

// Nothing else may wake the window: a file that was saved elsewhere moves no mouse.
TEST(ToastsTest, ANoticeThatTakesAnothersPlaceIsDrawnAtOnce) {
  Toasts toasts;
  EXPECT_TRUE(std::isinf(toasts.next_change_s(0)));
  toasts.say("The script was read again.", 1, "script");
  const ImGuiFrames frames;
  frames.draw(toasts, 2, 4);
  EXPECT_GT(toasts.next_change_s(2.5), 3);
  toasts.say("The lecture goes on as it was.", 3, "script");
  EXPECT_EQ(toasts.next_change_s(3), 3);
  frames.draw(toasts, 3, 4);
  EXPECT_GT(toasts.next_change_s(3), 4);
  toasts.drop("script");
  EXPECT_EQ(toasts.next_change_s(3.5), 3.5);
  frames.draw(toasts, 3.5, 4);
  EXPECT_TRUE(std::isinf(toasts.next_change_s(4)));
}

TEST(ToastsTest, AProblemTellsItsPlace) {
  Toasts toasts;
  toasts.say(Diagnostics{mistake(12),
                         make_error_at({"/home/ada/work"}, "file", "cannot create the folder")},
             0);
  ASSERT_EQ(toasts.all().size(), 2U);
  EXPECT_EQ(toasts.all()[0].place, "votes/lab.toml:12:3");
  EXPECT_EQ(toasts.all()[1].place, "/home/ada/work");
}

TEST(ToastsTest, OneCauseIsToldOnce) {
  Toasts toasts;
  for (const char* folder : {"/home/ada/work", "/home/ada/autosave", "/home/ada/runs"}) {
    toasts.say(Diagnostics{make_error_at({folder}, "file", "cannot create the folder")}, 0);
  }
  ASSERT_EQ(toasts.all().size(), 1U);
  EXPECT_EQ(toasts.all()[0].place, "/home/ada/runs");
}

// Each save fails in its own words where nothing can be written: what it means for the student is
// in the newest.
TEST(ToastsTest, AHomeThatTakesNothingIsToldOnce) {
  Toasts toasts;
  for (const char* what :
       {"cannot create the folder", "your progress was not saved", "your text was not saved"}) {
    Diagnostic error = make_error_at({"/home/ada"}, "not-writable", what);
    toasts.say(Diagnostics{error}, 0);
  }
  toasts.say(Diagnostics{make_error_at({"a.cu"}, "file", "no such file")}, 0);
  ASSERT_EQ(toasts.all().size(), 2U);
  EXPECT_EQ(toasts.all()[0].text, "Your text was not saved");
}

TEST(ToastsTest, MistakesStayUntilTheyAreCorrected) {
  Toasts toasts;
  toasts.say_lasting({mistake(1), mistake(2)}, 0, "labs");
  ImGuiFrames().draw(toasts, 1, 4);
  EXPECT_TRUE(std::isinf(toasts.next_change_s(1000)));
  toasts.say_lasting({mistake(3)}, 5, "labs");  // only the present mistakes
  ASSERT_EQ(toasts.all().size(), 1U);
  EXPECT_EQ(toasts.all()[0].place, "votes/lab.toml:3:3");
  toasts.say_lasting({}, 6, "labs");
  EXPECT_TRUE(toasts.all().empty());
}

TEST(ToastsTest, OfManyMistakesTheRestIsCounted) {
  Toasts toasts;
  Diagnostics many;
  for (int line = 1; line <= 9; ++line) many.push_back(mistake(line));
  toasts.say_lasting(many, 0, "labs");
  ASSERT_EQ(toasts.all().size(), 4U);
  EXPECT_EQ(toasts.all()[0].place, "votes/lab.toml:1:3");
  EXPECT_EQ(toasts.all()[3].text, "6 more mistakes");
  many.resize(4);
  toasts.say_lasting(many, 0, "labs");
  EXPECT_EQ(toasts.all()[3].place, "votes/lab.toml:4:3");  // four fit, so four are shown
}

}  // namespace
}  // namespace warpshop::ui
