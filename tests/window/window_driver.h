// Drives the real program in a real window as a person would: ImGui Test Engine moves the mouse and
// presses the keys. Each test has its own home folder.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "app/app.h"
#include "imgui_te_context.h"
#include "imgui_te_engine.h"

namespace warpshop::ui {

class WindowTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Opens the window at a step.
  void open(const std::string& lab, const std::string& step, const UiOptions& more = {});
  // Closes the window; reopen() then opens another one with the same home folder.
  void close();
  void reopen(const std::string& lab, const std::string& step, const UiOptions& more = {});
  // Runs the walk in the open window; fails if one of its checks does.
  void walk(const std::function<void(ImGuiTestContext*)>& steps);
  // Leaves a picture of the window in the build tree: tests/window-pictures/NAME.png.
  void keep_picture(const std::string& name);

  // Windows opened from now on start as for a person: those with an empty home folder welcome a new
  // user.
  void as_a_person() { person_ = true; }
  // Windows opened from now on draw each frame; otherwise only frames whose picture is taken are
  // drawn, which is much faster.
  void draw_each_frame() { drawn_when_read_ = false; }

  App& app() { return *app_; }
  const std::filesystem::path& home() const { return home_; }

  // The following functions are for use inside a walk.
  //
  // Leaves a picture of the next frame; after the walk it would be too late, since its end closes
  // dialogs.
  void keep_picture(ImGuiTestContext* ctx, const std::string& name);
  // Returns the picture of the next frame, without leaving a file.
  Picture take_picture(ImGuiTestContext* ctx);
  // Resizes the window.
  void resize(ImGuiTestContext* ctx, int width, int height);
  // Presses Alt+N until the step is an exercise.
  void go_to_exercise(ImGuiTestContext* ctx);
  // Waits until the kernel has been run and its result is shown.
  void wait_for_result(ImGuiTestContext* ctx);
  // Waits for `done`, for at most a minute. False on timeout.
  bool wait_until(ImGuiTestContext* ctx, const std::function<bool()>& done);
  // True if there are notices at the lower edge.
  bool something_is_said(ImGuiTestContext* ctx);
  // Clicks an item in the text of the steps' panel, after turning the mouse wheel until it is
  // visible.
  void click_in_text(ImGuiTestContext* ctx, const char* item);
  // Answers a question of the open step in its text: clicks the choice, or types the number.
  void answer_in_text(ImGuiTestContext* ctx, size_t question, int choice);
  // Answers all of them rightly, without the mouse.
  void answer_everything();
  // Puts the editor's cursor on a line, counted from 1, and selects the line's text.
  void select_line(ImGuiTestContext* ctx, int line);
  // True if the check with this id passes in the newest result; fails the walk if there is none.
  bool check_holds(const std::string& id);

 private:
  void write_picture(const std::string& name);

  std::filesystem::path home_;
  bool drawn_when_read_ = true;
  bool person_ = false;
  // Set by a walk, whose own thread has no OpenGL: the picture's name, or empty for picture_.
  std::optional<std::string> picture_wanted_;
  Picture picture_;
  std::unique_ptr<App> app_;
  ImGuiTestEngine* engine_ = nullptr;
  std::pair<int, int> size_due_{0, 0};  // set by a walk as well
};

}  // namespace warpshop::ui
