// Drives the lab in a real window as a typing person does: keys and mouse buttons go to the X
// server, which sends them to the window. Nothing here uses the editor's interface, except to see
// what arrived.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/app.h"
#include "typing/fake_input.h"

namespace warpshop::ui {

class TypingTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Opens the window at a step, without the tour.
  void start(const std::string& lab, const std::string& step);
  // The same, with the caret in the editor.
  void open(const std::string& lab, const std::string& step);
  // Closes the window and opens it again, with the same home folder.
  void reopen();
  // Goes to another step in the same window.
  void go_to(const std::string& lab, const std::string& step);
  App& app() { return *app_; }
  std::string text() const { return app_->session().text(); }

  // Types letters key by key; "\n" is Enter. A key with modifiers is written in <>: "<Ctrl+Home>",
  // "<Down>"; "<lt>" types <.
  void type(std::string_view script);
  // Types letters key by key, where < is a letter like any other.
  void type_text(std::string_view text);
  // Replaces the editor's whole text through the clipboard; the caret goes to the beginning.
  void put(const std::string& text);
  // Clicks in the middle of the letter at a line and column of the editor, both from 0.
  void click(size_t line, size_t column, int times = 1, std::string_view modifier = "");
  void click_at(ImVec2 place);
  void drag(size_t line, size_t column, size_t to_line, size_t to_column);
  void move_to(ImVec2 at);
  ImVec2 place_of(size_t line, size_t column) const;

  // Draws frames until the window has handled all that was pressed.
  void settle();
  bool wait_until(const std::function<bool()>& done);
  // Leaves a picture in the build tree: tests/window-pictures/NAME.png.
  void keep_picture(const std::string& name);
  // Draws a frame after each key, as for a slow typist; otherwise all keys of a line arrive at
  // once.
  bool slowly_ = false;
  // Draws no frames between keys, not even around those with modifiers.
  bool at_once_ = false;

 private:
  void press(std::string_view chord);
  void button(int number, bool down);
  void wait_out_double_click();

  std::filesystem::path home_;
  FakeInput input_;
  std::unique_ptr<App> app_;
};

}  // namespace warpshop::ui
