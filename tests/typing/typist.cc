#include "typing/typist.h"

#include <chrono>
#include <cstdlib>
#include <thread>
#include <utility>
#include <vector>

#include "imgui_internal.h"
#include "window/layout.h"

namespace warpshop::ui {

void TypingTest::SetUp() {
  ASSERT_TRUE(input_.works()) << "there is no X server with XTEST";
  std::string pattern =
      (std::filesystem::temp_directory_path() / "warpshop-typing-XXXXXX").string();
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  home_ = pattern;
  setenv("WARPSHOP_HOME", home_.c_str(), 1);
  setenv("LC_ALL", "C", 1);  // English, whatever the tester's language
}

void TypingTest::TearDown() {
  app_.reset();
  std::error_code error;
  std::filesystem::remove_all(home_, error);
}

void TypingTest::open(const std::string& lab, const std::string& step) {
  start(lab, step);
  ASSERT_NE(app_->editor(), nullptr);
  click(0, 0);
}

void TypingTest::reopen() {
  app_.reset();
  start("", "");
  ASSERT_NE(app_->editor(), nullptr);
}

void TypingTest::start(const std::string& lab, const std::string& step) {
  AppOptions options;
  options.ui.lab = lab;
  options.ui.step = step;
  options.own_size = true;
  options.window.width = 1600;
  options.window.height = 1000;
  options.window.drawn_when_read = true;
  Result<std::unique_ptr<App>> app = App::create(std::move(options));
  ASSERT_TRUE(app.ok()) << render(app.errors());
  app_ = std::move(app).value();
  app_->send(command::SetAutoRun{false});
  for (int frame = 0; frame < 12; ++frame) app_->frame(false);
}

void TypingTest::go_to(const std::string& lab, const std::string& step) {
  app_->send(command::OpenStep{lab, step});
  for (int frame = 0; frame < 6; ++frame) app_->frame(false);
  ASSERT_EQ(app_->session().place(), lab + "/" + step);
  EXPECT_TRUE(wait_until([this] { return app_->editor()->GetFirstVisibleRow() == 0; }));
  for (int frame = 0; frame < 2; ++frame) app_->frame(false);
  click(0, 0);
}

void TypingTest::settle() {
  input_.sync();
  do {
    app_->frame(false);
  } while (!ImGui::GetCurrentContext()->InputEventsQueue.empty());
  for (int frame = 0; frame < 2; ++frame) app_->frame(false);
}

bool TypingTest::wait_until(const std::function<bool()>& done) {
  const auto start = std::chrono::steady_clock::now();
  while (!done()) {
    if (std::chrono::steady_clock::now() - start > std::chrono::seconds(60)) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    app_->frame(false);
  }
  return true;
}

void TypingTest::keep_picture(const std::string& name) {
  for (int frame = 0; frame < 4; ++frame) app_->frame(false);
  const auto file = std::filesystem::current_path() / "window-pictures" / (name + ".png");
  EXPECT_TRUE(write_png(app_->window().read_picture(), file).ok());
}

void TypingTest::press(std::string_view chord) {
  if (!at_once_) settle();
  std::vector<std::string_view> held;
  for (bool found = true; found;) {
    found = false;
    for (const std::string_view modifier : {"Ctrl", "Alt", "Shift"}) {
      if (!chord.starts_with(modifier) || chord.size() <= modifier.size() ||
          chord[modifier.size()] != '+')
        continue;
      held.push_back(modifier);
      chord.remove_prefix(modifier.size() + 1);
      found = true;
    }
  }
  for (const std::string_view modifier : held) input_.key(modifier, true);
  ASSERT_TRUE(input_.key(chord, true)) << "no key is called " << chord;
  input_.key(chord, false);
  for (const std::string_view modifier : held) input_.key(modifier, false);
  if (!at_once_) settle();
}

void TypingTest::type(std::string_view script) {
  while (!script.empty()) {
    const char letter = script.front();
    if (letter == '<') {
      const size_t end = script.find('>');
      ASSERT_NE(end, std::string_view::npos) << script;
      const std::string_view chord = script.substr(1, end - 1);
      if (chord == "lt") {
        type_text("<");
      } else {
        press(chord);
      }
      script.remove_prefix(end + 1);
      continue;
    }
    type_text(script.substr(0, 1));
    script.remove_prefix(1);
  }
  settle();
}

void TypingTest::type_text(std::string_view text) {
  while (!text.empty()) {
    unsigned letter = 0;
    const int bytes = ImTextCharFromUtf8(&letter, text.data(), text.data() + text.size());
    text.remove_prefix(static_cast<size_t>(bytes));
    if (letter == '\n') {
      press("Enter");
    } else {
      ASSERT_TRUE(input_.letter(letter)) << "the keyboard has no key for character " << letter;
      if (slowly_) settle();
    }
  }
  if (!at_once_) settle();
}

void TypingTest::put(const std::string& text) {
  ImGui::SetClipboardText(text.c_str());
  type("<Ctrl+A><Ctrl+V><Ctrl+Home>");
}

ImVec2 TypingTest::place_of(size_t line, size_t column) const {
  const TextEditor& editor = *app_->editor();
  const ImRect panel = panel_window("editor")->Rect();
  // The right edge of the first letter found tells where all the others are.
  for (float y = panel.Min.y; y < panel.Max.y; ++y) {
    for (float x = panel.Min.x; x < panel.Max.x; ++x) {
      if (!editor.IsMousePosOverGlyph({x, y})) continue;
      const TextEditor::DocPos met = editor.GetDocPosAtMousePos({x, y});
      while (editor.GetDocPosAtMousePos({x, y}) == met) ++x;
      const TextEditor::VisPos here = editor.DocPos2VisPos({met.line, met.index + 1});
      const TextEditor::VisPos there = editor.DocPos2VisPos({line, column});
      const auto distance = [](size_t from, size_t to) {
        return static_cast<float>(to) - static_cast<float>(from);
      };
      return {x + (distance(here.column, there.column) + 0.3f) * editor.GetGlyphWidth(),
              y + (distance(here.row, there.row) + 0.5f) * editor.GetLineHeight()};
    }
  }
  ADD_FAILURE() << "there is no text in sight";
  return panel.GetCenter();
}

void TypingTest::move_to(ImVec2 at) {
  input_.move(static_cast<int>(at.x), static_cast<int>(at.y));
  settle();
}

void TypingTest::button(int number, bool down) {
  input_.button(number, down);
  settle();
}

// Waits so that later clicks do not count as double clicks with earlier ones.
void TypingTest::wait_out_double_click() {
  std::this_thread::sleep_for(
      std::chrono::duration<double>(ImGui::GetIO().MouseDoubleClickTime * 1.1));
}

void TypingTest::click(size_t line, size_t column, int times, std::string_view modifier) {
  wait_out_double_click();
  move_to(place_of(line, column));
  if (!modifier.empty()) input_.key(modifier, true);
  for (int n = 0; n < times; ++n) {
    button(1, true);
    button(1, false);
  }
  if (!modifier.empty()) input_.key(modifier, false);
  settle();
}

void TypingTest::click_at(ImVec2 place) {
  move_to(place);
  button(1, true);
  button(1, false);
}

void TypingTest::drag(size_t line, size_t column, size_t to_line, size_t to_column) {
  wait_out_double_click();
  move_to(place_of(line, column));
  button(1, true);
  move_to(place_of(to_line, to_column));
  button(1, false);
}

}  // namespace warpshop::ui
