// The lab in a real window, and hands in front of it: keys and mouse buttons go to the X server,
// which sends them to the window as those of a person. Nothing here touches the editor's interface,
// but to look at what arrived.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "app/lab_app.h"
#include "typing/fake_input.h"

namespace warpshop::ui {

class TypingTest : public ::testing::Test {
 protected:
  void SetUp() override;
  void TearDown() override;

  // Opens the window at a step, without the tour, with the caret in the editor.
  void open(const std::string& lab, const std::string& step);
  // Closes the window and opens it again, as the same person.
  void reopen();
  // Another step in the same window.
  void go_to(const std::string& lab, const std::string& step);
  App& app() { return *app_; }
  std::string text() const { return app_->session().text(); }

  // Letters key by key; "\n" is Enter. What is in <> is a key with its modifiers: "<Ctrl+Home>",
  // "<Down>", "<lt>".
  void type(std::string_view script);
  // The same text, where < is a letter.
  void type_text(std::string_view text);
  // All text of the editor is replaced by that, through the clipboard; the caret goes to the
  // beginning.
  void put(const std::string& text);
  // Mouse: the middle of the letter at a line and column of the editor, both from 0.
  void click(size_t line, size_t column, int times = 1, std::string_view modifier = "");
  void drag(size_t line, size_t column, size_t to_line, size_t to_column);
  void move_to(ImVec2 at);
  ImVec2 place_of(size_t line, size_t column) const;

  // Frames until the window has taken what was pressed.
  void settle();
  bool wait_until(const std::function<bool()>& done);
  // Leaves a picture in the build tree: tests/window-pictures/NAME.png.
  void keep_picture(const std::string& name);
  // After each key a frame, as of somebody who types slowly; else all keys of a line come at once.
  bool slowly_ = false;
  // No frame between the keys, also where some have modifiers.
  bool at_once_ = false;

 private:
  void start(const std::string& lab, const std::string& step);
  void press(std::string_view chord);
  void button(int number, bool down);
  void wait_out_double_click();

  std::filesystem::path home_;
  FakeInput input_;
  std::unique_ptr<App> app_;
};

}  // namespace warpshop::ui
