// The real program in a real window, driven as a person would: ImGui Test Engine moves the mouse
// and presses the keys. Every test has a home folder of its own.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/lab_app.h"
#include "imgui_te_context.h"
#include "imgui_te_engine.h"

namespace warpshop::ui {

class WindowTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Opens the window at a step.
  void open(const std::string& lab, const std::string& step, const UiOptions& more = {});
  // Closes the window, and opens another one on what the first has left behind.
  void close();
  void reopen(const std::string& lab, const std::string& step, const UiOptions& more = {});
  // Runs the walk in the open window; fails where one of its checks does.
  void walk(const std::function<void(ImGuiTestContext*)>& steps);
  // Leaves a picture of the window in the build tree: tests/window-pictures/NAME.png.
  void keep_picture(const std::string& name);

  // Windows that are opened from now on are started as a person starts them: where nobody was
  // before they say so.
  void as_a_person() { person_ = true; }
  // Windows that are opened from now on draw each frame; else only those whose picture is taken,
  // which is much faster.
  void draw_each_frame() { drawn_when_read_ = false; }

  App& app() { return *app_; }
  const std::filesystem::path& home() const { return home_; }

  // For use inside a walk.
  // The picture of the next frame: a walk's end closes dialogs.
  void keep_picture(ImGuiTestContext* ctx, const std::string& name);
  // The same picture, to be looked at here; no file of it is left.
  Picture take_picture(ImGuiTestContext* ctx);
  // Gives the window another size.
  void resize(ImGuiTestContext* ctx, int width, int height);
  // Goes on by Alt+N until the step is an exercise.
  void go_to_exercise(ImGuiTestContext* ctx);
  // Waits until the kernel has been run and its result is shown.
  void wait_for_result(ImGuiTestContext* ctx);
  // Waits until `done`, at most a minute. False when the time was up.
  bool wait_until(ImGuiTestContext* ctx, const std::function<bool()>& done);
  // Whether there are notices at the lower edge.
  bool something_is_said(ImGuiTestContext* ctx);
  // Clicks something in the text of the steps' panel, turning the mouse wheel until it is in sight.
  void click_in_text(ImGuiTestContext* ctx, const char* item);
  // Puts the editor's cursor on a line, counted from 1, and selects the line's text.
  void select_line(ImGuiTestContext* ctx, int line);
  // Whether the check of that id holds in the newest result; fails the walk when there is none.
  bool check_holds(const std::string& id);

 private:
  void write_picture(const std::string& name);

  std::filesystem::path home_;
  bool drawn_when_read_ = true;
  bool person_ = false;
  std::optional<std::string>
      picture_wanted_;  // its name, by a walk, which has a thread of its own without OpenGL
  Picture picture_;     // without a name: the picture itself
  std::unique_ptr<App> app_;
  ImGuiTestEngine* engine_ = nullptr;
  std::pair<int, int> size_due_{0, 0};  // by a walk, as below
};

}  // namespace warpshop::ui
