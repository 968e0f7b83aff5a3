// A lecturer edits the kernel in front of the class: what is typed arrives in the text, and the
// lecture's keys still control the lecture.
#include "drawn_texts.h"
#include "imgui_internal.h"
#include "typing/typist.h"
#include "window/layout.h"

namespace warpshop::ui {
namespace {

class LiveEditTest : public TypingTest {
 protected:
  // Opens the lecture of Coalescing at a scene, counted from 1, with its result.
  void begin(size_t scene) {
    open("coalescing", "");
    app().send(command::SetAutoRun{true});
    app().send(command::GiveLecture{});
    for (int frame = 0; frame < 8; ++frame) app().frame(false);
    ASSERT_TRUE(app().lecture().on());
    app().send(command::GoToScene{scene - 1});
    take_result();
  }
  void take_result() {
    for (int frame = 0; frame < 12; ++frame) app().frame(false);
    ASSERT_TRUE(wait_until(
        [this] { return !app().busy() && app().view().latest && !app().view().latest_stale; }));
    for (int frame = 0; frame < 12; ++frame) app().frame(false);
  }
  size_t scene() { return app().lecture().scene + 1; }
};

// Offset of the end of a line, counted from 1.
size_t end_of_line(const std::string& text, int line) {
  size_t end = text.find('\n');
  while (--line > 0) end = text.find('\n', end + 1);
  return end;
}

TEST_F(LiveEditTest, WhatIsTypedArrivesThoughItsLineComesToBeWrapped) {
  begin(4);
  type("<PageDown>");
  slowly_ = true;
  std::string expected = text();
  const std::string typed = " volatile int q = 1; while (q) {}";
  for (const int line : {app().lecture().current().line, app().lecture().current().line - 1}) {
    const size_t end = end_of_line(expected, line);
    expected.insert(end, typed);
    click(static_cast<size_t>(line - 1), 4);
    type("<End>");
    type_text(typed);
    EXPECT_EQ(text(), expected);
  }
  const int line = app().lecture().current().line;
  expected.insert(expected.find_first_not_of(' ', end_of_line(expected, line - 1) + 1),
                  "int more_of_it = 2; ");
  click(static_cast<size_t>(line - 1), 4);
  type("<Home>");
  type_text("int more_of_it = 2; ");
  EXPECT_EQ(text(), expected);
  EXPECT_GT(app().editor()->DocPos2VisPos({static_cast<size_t>(line), 0}).row,
            static_cast<size_t>(line))
      << "no line is wrapped";
}

TEST_F(LiveEditTest, AfterAPageKeyWhatIsTypedIsForTheLecture) {
  begin(4);
  click(6, 4);
  type("<End> //");
  EXPECT_NE(text(), app().lecture().current().source);
  type("<PageDown>");
  EXPECT_FALSE(app().lecture().hidden());
  const std::string edited = text();
  type("d");
  EXPECT_TRUE(app().view().pen->on);
  EXPECT_EQ(text(), edited);
  type("<Esc>");
  click(6, 4);
  type("<End>x<PageDown>");
  EXPECT_EQ(scene(), 5u);
  type("d");
  EXPECT_TRUE(app().view().pen->on);
  EXPECT_EQ(text(), app().lecture().current().source);
}

// While the kernel has the keyboard, a frame surrounds it, with a hint how to leave.
TEST_F(LiveEditTest, EscLeavesTheKernelThenTheLecture) {
  begin(4);
  type("<PageDown>");
  const auto framed = [this] {
    const ImRect panel = panel_window("editor")->Rect();
    const uint8_t* pixel = nullptr;
    for (int frame = 0; frame < 4; ++frame) app().frame(false);
    const Picture picture = app().window().read_picture();
    pixel =
        &picture
             .rgba[(static_cast<size_t>(panel.GetCenter().y) * static_cast<size_t>(picture.width) +
                    static_cast<size_t>(panel.Min.x + px(1))) *
                   4];
    return IM_COL32(pixel[0], pixel[1], pixel[2], 255) == look()->accent;
  };
  EXPECT_FALSE(framed());
  click(6, 4);
  EXPECT_TRUE(framed());
  type("<End> //<Esc>");
  EXPECT_TRUE(app().lecture().on());
  EXPECT_FALSE(framed());
  // The arrows step through the accesses again, even after the slide has been zoomed.
  type("4\n");
  take_result();
  if (app().lecture().hidden()) type("<PageDown>");
  type("<Ctrl+=>");
  for (int presses = 0; presses < 2; ++presses) {
    ASSERT_TRUE(app().view().selected.has_value());
    const size_t before = *app().view().selected;
    type(presses == 0 ? "<Left>" : "<Right>");
    EXPECT_NE(*app().view().selected, before);
    EXPECT_FALSE(ImGui::GetIO().NavVisible) << "there is a ring round something";
  }
  type("<Esc><Esc>");
  EXPECT_FALSE(app().lecture().on());
}

// Somebody asks about a name: it is found, and the lecture goes on.
TEST_F(LiveEditTest, TheKernelIsSearchedWithoutLeavingTheLecture) {
  begin(4);
  type("<PageDown>");
  const std::string before = text();
  const auto selection = [this] { return app().editor()->GetMainCursorSelection(); };
  type("<Ctrl+F>n");
  EXPECT_EQ(app().editor()->GetSectionText(selection()), "n");
  const TextEditor::DocPos first = selection().start;
  type("<Enter>");
  EXPECT_EQ(app().editor()->GetSectionText(selection()), "n");
  EXPECT_FALSE(selection().start == first);
  type("<Esc>");
  ASSERT_TRUE(app().lecture().on()) << "Esc closes the bar first";
  type("d");
  EXPECT_TRUE(app().view().pen->on) << "letters are the lecture's again";
  type("<Esc><F3>");
  EXPECT_EQ(app().editor()->GetSectionText(selection()), "n");
  EXPECT_EQ(text(), before);
  // The page keys go on, and Esc closes the bar before it ends anything.
  type("<PageUp><Ctrl+F>n<PageDown>");
  EXPECT_FALSE(app().lecture().hidden());
  type("<Esc>");
  EXPECT_TRUE(app().lecture().on());
  type("d");
  EXPECT_TRUE(app().view().pen->on);
  // The next scene begins without it.
  type("<Esc><Ctrl+F>n");
  const size_t here = scene();
  type("<PageDown>");
  EXPECT_EQ(scene(), here + 1);
  type("d");
  EXPECT_TRUE(app().view().pen->on);
  type("<Esc><Esc><Esc>");
  EXPECT_FALSE(app().lecture().on());
}

TEST_F(LiveEditTest, EachSceneKeepsItsEditUntilItIsRestored) {
  begin(4);
  type("<PageDown>");
  click(6, 4);
  type("<End> // mine");
  const std::string edited = text();
  EXPECT_NE(edited, app().lecture().current().source);
  type("<PageDown>");
  EXPECT_EQ(text(), app().lecture().current().source);
  // Undo does not reach back into another scene.
  take_result();
  click(2, 4);
  type("<Ctrl+Z><Ctrl+Z>");
  EXPECT_EQ(text(), app().lecture().current().source);
  type("<PageUp>");
  EXPECT_EQ(text(), edited);
  take_result();
  EXPECT_EQ(app().editor()->GetText(), edited);
  type("r");
  EXPECT_EQ(text(), app().lecture().current().source);
  take_result();
  EXPECT_EQ(app().editor()->GetText(), text());
  type("<PageDown><PageUp>");
  EXPECT_EQ(text(), app().lecture().current().source);
}

// The map does not show what the kernel computes: there, a copy looks as good as a transpose.
TEST_F(LiveEditTest, TheSlideSaysWhetherAnEditedKernelIsRight) {
  begin(4);
  type("<PageDown>");
  const auto said = [this] {
    DrawnTexts drawn;
    app().frame(false);
    std::string out;
    for (const DrawnText& text : drawn.texts) {
      if (text.text.starts_with("edited") || text.text == "Restore") out += text.text + "|";
    }
    return out;
  };
  EXPECT_EQ(said(), "");
  click(6, 4);
  type("<End> // mine");
  take_result();
  EXPECT_EQ(said(), "edited, result correct|Restore|");
  type("<Home><Shift+End>out[j * n + i] = in[j * n + i];");
  take_result();
  EXPECT_EQ(said(), "edited, result wrong|Restore|");
  type("?");
  take_result();
  EXPECT_EQ(said(), "edited, does not run|Restore|");
  type("<Esc>r");
  take_result();
  EXPECT_EQ(said(), "");
}

// A run gives its figures away: before the first, an empty line or a comment and a pause are not
// yet an answer.
TEST_F(LiveEditTest, AnUntouchedKernelDoesNotRunForAComment) {
  open("coalescing", "stride");
  app().send(command::SetAutoRun{true});
  for (int frame = 0; frame < 8; ++frame) app().frame(false);
  click(1, 0);
  const std::string start = app().session().step()->exercise->skeleton;
  for (const char* part : {"\n", "// mine"}) {
    type_text(part);
    ASSERT_NE(text(), start);
    EXPECT_TRUE(wait_until([this] { return !app().busy(); }));
    EXPECT_FALSE(app().view().latest) << part;
  }
  type_text("\n#define MINE\n");
  take_result();
  EXPECT_TRUE(app().view().latest);
}

}  // namespace
}  // namespace warpshop::ui
