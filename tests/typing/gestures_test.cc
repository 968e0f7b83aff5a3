// What the editor's keys and clicks do to the text. Each case starts with the caret at the
// beginning; where the caret's position matters, an "@" is typed at the end.
#include <chrono>
#include <cstdlib>
#include <iterator>
#include <random>
#include <string>
#include <thread>

#include "drawn_texts.h"
#include "imgui_internal.h"
#include "typing/typist.h"

namespace warpshop::ui {
namespace {

struct Gesture {
  const char* name;
  const char* start;
  const char* script;  // see TypingTest::type
  const char* expected;
};

constexpr Gesture kGestures[] = {
    {"a closer is typed over", "", "f(a[i], b)@", "f(a[i], b)@"},
    {"closers of three kinds are typed over", "", "{x[(y)]}@", "{x[(y)]}@"},
    {"a closer is typed over behind other text", "", "in[i<Left><Right> + 1]@", "in[i + 1]@"},
    {"a closer of the text is not typed over", "a]", "<End><Left>]@", "a]@]"},
    {"a pair that was left is text", "", "(a<End><Enter><Up><End><Left>)@", "(a)@)\n"},
    {"no pair before text", "x;", "(", "(x;"},
    {"a bracket typed again before its body is not closed twice", "void f()\n  a;\n}\n", "<End> {@",
     "void f() {@\n  a;\n}\n"},
    {"no pair in a comment", "", "// it's (so@", "// it's (so@"},
    {"no pair in a string", "", "\"a(b\"@", "\"a(b\"@"},
    {"quotes are typed over", "", "printf(\"%d\", 'c')@", "printf(\"%d\", 'c')@"},
    {"an escaped quote ends no string", "", "\"a\\\"b\"@", "\"a\\\"b\"@"},
    {"digits are separated by quotes", "", "1'000'000@", "1'000'000@"},
    {"Backspace takes an empty pair", "", "f(<Backspace>@", "f@"},
    {"Backspace takes only what is before the caret elsewhere", "f()", "<End><Left><Backspace>@",
     "f@)"},
    {"a selection is put into brackets", "a + b", "<Shift+End>(", "(a + b)"},
    {"a bracket typed over a selection is closed once", "[32];", "<Shift+End>[33];@", "[33];@"},
    {"Enter behind { opens a block", "", "if (a) {<Enter>b;@", "if (a) {\n  b;@\n}"},
    {"} steps out of the block", "", "if (a) {<Enter>b;<Enter>}@", "if (a) {\n  b;\n}@"},
    {"a body goes below its head, however long the parameter list",
     "  void f(int a,\n         int b) {", "<Ctrl+End><Enter>c;<Enter>}@",
     "  void f(int a,\n         int b) {\n    c;\n  }@"},
    {"blocks in blocks", "", "{<Enter>{<Enter>a;<Enter>}<Enter>b;<Enter>}@",
     "{\n  {\n    a;\n  }\n  b;\n}@"},
    {"} goes below its {", "{\n  {\n    a;\n", "<Ctrl+End><Enter>    }@", "{\n  {\n    a;\n\n  }@"},
    {"Enter keeps the indentation", "    a;", "<End><Enter>b;@", "    a;\n    b;@"},
    {"Enter leaves no white space behind", "  a;", "<End><Enter><Enter>b;", "  a;\n\n  b;"},
    {"Enter in the middle of a line", "  ab", "<End><Left><Enter>@", "  a\n  @b"},
    {"a { in a comment opens nothing", "// {", "<End><Enter>@", "// {\n@"},
    {"Home goes to the text, then to the margin", "  ab", "<End><Home>1<Home><Home>2", "2  1ab"},
    {"Shift+Home selects to the text", "  ab", "<End><Shift+Home><Delete>@", "  @"},
    {"undo takes a word", "", "one two three<Ctrl+Z>@", "one two@"},
    {"undo takes word by word", "", "one two three<Ctrl+Z><Ctrl+Z>@", "one@"},
    {"undo of a run with brackets", "", "f(a[i]);<Ctrl+Z>@", "@"},
    {"undo of typing over a selection brings it back", "a sum;",
     "<Right><Right><Ctrl+Shift+Right>total<Ctrl+Z>x", "a x;"},
    {"redo brings the word back", "", "one two<Ctrl+Z><Ctrl+Y>@", "one two@"},
    {"redo by Ctrl+Shift+Z", "", "one two<Ctrl+Z><Ctrl+Shift+Z>@", "one two@"},
    {"undo takes a run of Backspace", "abcdef", "<End><Backspace><Backspace><Backspace><Ctrl+Z>@",
     "abcdef@"},
    {"typing elsewhere is undone by itself", "a\nb", "<End>1<Down><End>2<Ctrl+Z>", "a1\nb"},
    {"Ctrl+Backspace takes a word", "one two", "<End><Ctrl+Backspace>@", "one @"},
    {"Ctrl+Delete takes a word", "one two", "<Right><Right><Right><Ctrl+Delete>@", "one@"},
    {"Tab indents by two", "a", "<Tab>@", "  @a"},
    {"Tab goes to the next stop", "abc", "<Right><Tab>@", "a @bc"},
    {"Tab indents what is selected", "a\nb\n", "<Shift+Down><Shift+Down><Tab>", "  a\n  b\n"},
    {"Shift+Tab takes indentation away", "    a", "<End><Shift+Tab>@", "  a@"},
    {"Shift+Tab for all selected lines", "  a\n    b\n", "<Shift+Down><Shift+Down><Shift+Tab>",
     "a\n  b\n"},
    {"pasted tabs become spaces", "\ta", "<End>@", "  a@"},
    {"Ctrl+/ makes a comment", "  a;\n  b;\n", "<Ctrl+/>", "  // a;\n  b;\n"},
    {"Ctrl+/ takes it away", "  // a;\n", "<Ctrl+/>", "  a;\n"},
    {"comments of a block stand in one column", "if (a) {\n  b;\n}\n",
     "<Shift+Down><Shift+Down><Shift+Down><Ctrl+/>", "// if (a) {\n//   b;\n// }\n"},
    {"a block of comments is taken away", "// a\n  //b\n", "<Ctrl+A><Ctrl+/>", "a\n  b\n"},
    {"the caret stays at its letter", "ab", "<Right><Ctrl+/>@", "// a@b"},
    {"a line is moved down", "a\nb\nc\n", "<Alt+Down>@", "b\n@a\nc\n"},
    {"a line is moved up", "a\nb\nc", "<Ctrl+End><Alt+Up>@", "a\nc@\nb"},
    {"selected lines are moved", "a\nb\nc\n", "<Shift+Down><Shift+Down><Alt+Down>", "c\na\nb\n"},
    {"the first line stays", "a\nb", "<Alt+Up>@", "@a\nb"},
    {"a line is duplicated", "ab\nc", "<Right><Ctrl+Shift+Down>@", "ab\na@b\nc"},
    {"a line is removed", "a\nb\nc", "<Down><Ctrl+Shift+K>@", "a\n@c"},
    {"the last line is removed", "a\nb", "<Ctrl+End><Ctrl+Shift+K>", "a"},
    {"Ctrl+D selects the word, then the next", "aa bb aa", "<Ctrl+D><Ctrl+D>x", "x bb x"},
    {"Ctrl+D finds no parts of words", "i int i if(i)", "<Ctrl+D><Ctrl+D><Ctrl+D>x",
     "x int x if(x)"},
    {"Ctrl+D finds a selected part of a word everywhere", "ab abc", "<Shift+Right><Ctrl+D>x",
     "xb xbc"},
    {"all occurrences of a word", "i int i", "<Ctrl+D><Ctrl+Shift+L>x", "x int x"},
    {"all occurrences of the word at the caret", "aa bb aab aa", "<Right><Ctrl+Shift+L>x",
     "x bb aab x"},
    {"all occurrences of nothing", "  \naa", "<Ctrl+Shift+L>x@", "x@  \naa"},
    {"all occurrences", "aa bb aa aa", "<Ctrl+D><Ctrl+Shift+L>x", "x bb x x"},
    {"a caret below", "ab\ncd\nef", "<Ctrl+Alt+Down><Ctrl+Alt+Down>x", "xab\nxcd\nxef"},
    {"a caret below, with a second chord", "ab\ncd", "<Ctrl+Shift+Alt+Down>x", "xab\nxcd"},
    {"a caret above", "ab\ncd", "<Ctrl+End><Ctrl+Alt+Up>x", "abx\ncdx"},
    {"carets go home alike", "  ab\n    cd", "<Ctrl+Alt+Down><End><Home>x", "  xab\n    xcd"},
    {"brackets are completed and typed over at each caret", "\n", "<Ctrl+Alt+Down>f(a)@",
     "f(a)@\nf(a)@"},
    {"Escape leaves one caret", "ab\ncd", "<Ctrl+Alt+Down><Esc>x", "xab\ncd"},
    {"to the matching bracket", "f(a, (b))", "<Right><Ctrl+Shift+\\>@", "f(a, (b)@)"},
    {"and back", "f(a, (b))", "<Right><Ctrl+Shift+\\><Ctrl+Shift+\\>@", "f@(a, (b))"},
    {"cut and paste without a selection take the line", "a\nb\n", "<Ctrl+X><Down><Ctrl+V>",
     "b\na\n"},
    {"select to the end of a word", "one two", "<Ctrl+Shift+Right><Delete>@", "@ two"},
    {"go to a line", "a\nb\nc\nd", "<Ctrl+G>3<Enter>@", "a\nb\n@c\nd"},
    {"a line that is not there is not gone to", "a\nb", "<Ctrl+G>7<Enter><Esc>@", "@a\nb"},
    {"find and go on typing", "int a;\nint b;\n", "<Ctrl+F>int<Esc><Right>@", "int@ a;\nint b;\n"},
    {"find the next", "int a;\nint b;\n", "<Ctrl+F>int<Enter><Esc><Right>@", "int a;\nint@ b;\n"},
    {"find the next by F3", "int a;\nint b;\n", "<Ctrl+F>int<Esc><F3><Right>@",
     "int a;\nint@ b;\n"},
    {"find the one before", "int a;\nint b;\n", "<Ctrl+F>int<Shift+Enter><Esc><Right>@",
     "int a;\nint@ b;\n"},
    {"replace one", "int a;\nint b;\n", "<Ctrl+H>int<Tab>long<Enter><Esc>", "long a;\nint b;\n"},
    {"replace all", "int a;\nint b;\n", "<Ctrl+H>int<Tab>long<Ctrl+Alt+Enter><Esc>",
     "long a;\nlong b;\n"},
};

class GestureTest : public TypingTest {};

TEST_F(GestureTest, TheKeysDoWhatHandsExpect) {
  open("coalescing", "one-warp");
  for (const Gesture& gesture : kGestures) {
    SCOPED_TRACE(gesture.name);
    type("<Esc>");
    put(gesture.start);
    type(gesture.script);
    EXPECT_EQ(text(), gesture.expected);
  }
}

// A list of suggestions may be about to appear for a text that has been replaced meanwhile.
TEST_F(GestureTest, SuggestionsOutliveTheirTextByNothing) {
  open("coalescing", "one-warp");
  for (const int wait_ms : {0, 60, 130, 200}) {
    put("int a;\nint b;\nint c;\n");
    type("<Ctrl+End>blo");
    std::this_thread::sleep_for(std::chrono::milliseconds(wait_ms));
    type("<Ctrl+A><Delete>");
    std::this_thread::sleep_for(std::chrono::milliseconds(150));
    settle();
    EXPECT_EQ(text(), "");
  }
}

bool list_is_open() { return ImGui::GetCurrentContext()->OpenPopupStack.Size > 0; }

TEST_F(GestureTest, AnAcceptedSuggestionEndsTheListUntilSomethingIsTyped) {
  open("coalescing", "one-warp");
  struct Case {
    const char* name;
    const char* script;
    const char* expected;
  };
  for (const Case& c : {Case{"Tab accepts", "<Tab>@", "alpha@"},
                        Case{"a second Tab is white space", "<Tab><Tab>@", "alpha @"},
                        Case{"Enter is a new line", "<Enter>@", "alph\n@"},
                        Case{"an arrow key chooses", "<Down><Enter>@", "alpha_beta@"},
                        Case{"Enter behind an accepted one", "<Tab><Enter>@", "alpha\n@"},
                        Case{"an arrow key behind an accepted one", "<Tab><Up><Home>@", ""},
                        Case{"Escape closes it", "<Esc><Tab>@", "alph  @"}}) {
    SCOPED_TRACE(c.name);
    type("<Esc>");
    put("// n\nint alpha;\nint alpha_beta;\n");
    type("<Ctrl+End>alph");
    ASSERT_TRUE(wait_until(list_is_open));
    type(c.script);
    EXPECT_EQ(text(), std::string(*c.expected ? "// n\nint alpha;\nint alpha_beta;\n"
                                              : "// n\nint alpha;\n@int alpha_beta;\nalpha") +
                          c.expected);
  }
}

TEST_F(GestureTest, AListOfSuggestionsStaysInsideTheWindow) {
  open("coalescing", "one-warp");
  std::string text = "int alpha;\n";
  for (int line = 0; line < 100; ++line) text += "//\n";
  put(text);
  type("<Ctrl+End>alp");
  ASSERT_TRUE(wait_until(
      [] { return list_is_open() && ImGui::GetCurrentContext()->OpenPopupStack[0].Window; }));
  settle();
  const ImRect list = ImGui::GetCurrentContext()->OpenPopupStack[0].Window->Rect();
  EXPECT_LE(list.Max.y, ImGui::GetMainViewport()->Size.y);
}

TEST_F(GestureTest, WhatIsTypedRightAfterCtrlFGoesIntoTheField) {
  open("coalescing", "one-warp");
  struct Case {
    const char *start, *at_once, *then, *expected;
  };
  for (const Case& c :
       {Case{"int a;\nint b;\n", "<Ctrl+F>b", "<Esc><Right>@", "int a;\nint b@;\n"},
        Case{"int a;\nint b;\n", "<Ctrl+F>int<Enter>", "<Esc><Right>@", "int a;\nint@ b;\n"},
        Case{"int a;\nint b;\n", "<Ctrl+H>int", "<Tab>long<Ctrl+Alt+Enter><Esc>",
             "long a;\nlong b;\n"},
        Case{"a\nb\nc\nd", "<Ctrl+G>3<Enter>", "@", "a\nb\n@c\nd"}}) {
    SCOPED_TRACE(c.at_once);
    type("<Esc>");
    put(c.start);
    at_once_ = true;
    type(c.at_once);
    at_once_ = false;
    settle();
    for (int frame = 0; frame < 6; ++frame) app().frame(false);
    type(c.then);
    EXPECT_EQ(text(), c.expected);
  }
}

// True if something is drawn there that differs from the plain background `ground` pixels further
// right.
bool is_painted(const Picture& picture, ImVec2 at, float ground) {
  const auto pixel = [&](float x) {
    return &picture.rgba[4 * (static_cast<size_t>(at.y) * static_cast<size_t>(picture.width) +
                              static_cast<size_t>(x))];
  };
  for (const float beside : {-1.0f, 0.0f, 1.0f}) {
    if (!std::equal(pixel(at.x + beside), pixel(at.x + beside) + 3, pixel(at.x + ground)))
      return true;
  }
  return false;
}

TEST_F(GestureTest, TheBoxOfABracketIsWhereItIsWrappedTo) {
  open("coalescing", "one-warp");
  put(std::string(400, 'x'));
  const TextEditor& editor = *app().editor();
  size_t columns = 0;  // per row
  while (editor.DocPos2VisPos({0, columns + 1}).row == 0) ++columns;
  const std::string before = std::string(columns - 1, 'x') + " ";
  put(before + "{\n  a;\n}\n");
  type("<Down><Down>");
  ASSERT_EQ(editor.DocPos2VisPos({0, columns + 1}).row, 1u);
  const ImVec2 behind = place_of(0, columns + 1);  // 0.3 letters right of the bracket
  const float glyph = editor.GetGlyphWidth(), row = editor.GetLineHeight();
  for (int frame = 0; frame < 4; ++frame) app().frame(false);
  const Picture picture = app().window().read_picture();
  EXPECT_TRUE(is_painted(picture, {behind.x - 1.15f * glyph, behind.y - 0.45f * row}, 4 * glyph));
}

TEST_F(GestureTest, ALineThatFillsItsRowsHasNoEmptyOne) {
  open("coalescing", "one-warp");
  put(std::string(400, 'x'));
  const TextEditor& editor = *app().editor();
  size_t room = 0;  // glyphs per row
  while (editor.DocPos2VisPos({0, room + 1}).row == 0) ++room;
  for (const size_t rows : {1, 2, 3}) {
    put(std::string(rows * room, 'x') + "\na\n");
    EXPECT_EQ(editor.DocPos2VisPos({1, 0}).row, rows);
    put(std::string(rows * room + 1, 'x') + "\na\n");
    EXPECT_EQ(editor.DocPos2VisPos({1, 0}).row, rows + 1);
  }
}

// As parameters that stand below one another do in a narrow editor.
TEST_F(GestureTest, ADeepLineIsWrappedToWideRows) {
  open("coalescing", "one-warp");
  put(std::string(400, 'x'));
  const TextEditor& editor = *app().editor();
  size_t room = 0;  // glyphs per row
  while (editor.DocPos2VisPos({0, room + 1}).row == 0) ++room;
  ASSERT_GE(room, 40u);
  const size_t deep = room * 3 / 4;
  put(std::string(deep, ' ') + std::string(room / 2, 'x') + "\na\n");
  EXPECT_EQ(editor.DocPos2VisPos({1, 0}).row, 2u);

  // Deeper than the editor is wide: each place in the line is where the next one follows.
  put(std::string(room * 2, ' ') + "x\na\n");
  for (size_t at = 1; at <= room * 2 + 1; ++at) {
    const auto before = editor.DocPos2VisPos({0, at - 1}), after = editor.DocPos2VisPos({0, at});
    EXPECT_TRUE((after.row == before.row && after.column == before.column + 1) ||
                after.row == before.row + 1)
        << at;
  }
  EXPECT_LE(editor.DocPos2VisPos({1, 0}).row, 4u);
}

TEST_F(GestureTest, WrappedTextIsNotScrolledSideways) {
  open("coalescing", "one-warp");
  const auto code_window = []() -> const ImGuiWindow* {
    for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
      if (window->WasActive &&
          std::string_view(window->Name).find("##code") != std::string_view::npos)
        return window;
    }
    return nullptr;
  };
  // At one of these widths a row ends exactly at the edge.
  for (const float zoom : {1.0f, 1.1f, 1.25f}) {
    for (int n = 0; n < (zoom > 1 ? 1 : 0); ++n) app().send(command::StepZoom{1});
    for (int frame = 0; frame < 12; ++frame) app().frame(false);
    for (size_t first = 1; first < 9; ++first) {
      std::string text(first, 'x');
      for (int word = 0; word < 60; ++word) text += " 1234567";
      put(text + "\n" + std::string(300, 'x') + "\n");
      ASSERT_TRUE(code_window());
      EXPECT_EQ(code_window()->ScrollMax.x, 0) << zoom << " " << first;
    }
  }
}

TEST_F(GestureTest, TheArrowsGoThroughWrappedRows) {
  open("coalescing", "one-warp");
  std::string text;
  for (int word = 0; word < 60; ++word) text += "1234567 ";
  put(text + "\na\n");
  const size_t rows = app().editor()->DocPos2VisPos({1, 0}).row;
  ASSERT_GT(rows, 2u);
  for (size_t row = 0; row < rows; ++row) type("<Down>");
  EXPECT_EQ(app().editor()->GetMainCursorPosition().line, 1u);
}

TEST_F(GestureTest, TheLineBetweenBracketsGoesThroughWhiteSpaceOnly) {
  open("coalescing", "one-warp");
  put("{\n    a;\n// b\n\n    c;\n}\n");
  const TextEditor& editor = *app().editor();
  const float glyph = editor.GetGlyphWidth(), row = editor.GetLineHeight();
  type("<Ctrl+End>");
  for (int frame = 0; frame < 4; ++frame) app().frame(false);
  const Picture picture = app().window().read_picture();
  for (const auto& [line, drawn] : {std::pair(1, true), {2, false}, {3, true}, {4, true}}) {
    const ImVec2 at = place_of(static_cast<size_t>(line), 0);
    EXPECT_EQ(is_painted(picture, {at.x - 0.3f * glyph, at.y - 0.38f * row}, 20 * glyph), drawn)
        << line;
  }
}

TEST_F(GestureTest, AnotherStepsTextBeginsAtItsFirstLine) {
  open("coalescing", "one-warp");
  std::string text;
  for (int line = 0; line < 200; ++line) text += "//\n";
  put(text);
  type("<Ctrl+End>");
  ASSERT_GT(app().editor()->GetFirstVisibleRow(), 0u);
  app().send(command::OpenStep{"bank-conflicts", "four-banks"});  // a step without a kernel
  for (int frame = 0; frame < 6; ++frame) app().frame(false);
  go_to("coalescing", "stride");
}

TEST_F(GestureTest, TheWindowOpensWhereItWasClosed) {
  open("coalescing", "one-warp");
  std::string text;
  for (int line = 0; line < 200; ++line) text += "// " + std::to_string(line) + "\n";
  put(text);
  type("<Ctrl+G>120<Enter>");
  for (int n = 0; n < 10; ++n) type("<Down>");
  type("<Right><Right><Right>");
  const size_t top = app().editor()->GetFirstVisibleRow();
  ASSERT_GT(top, 0u);
  reopen();
  EXPECT_TRUE(wait_until([&] { return app().editor()->GetFirstVisibleRow() == top; }));
  EXPECT_EQ(app().editor()->GetMainCursorPosition().line, 129u);
  EXPECT_EQ(app().editor()->GetMainCursorPosition().index, 3u);
}

TEST_F(GestureTest, ADoubleClickSelectsTheWordAndOnlyIt) {
  open("coalescing", "one-warp");
  struct Case {
    const char* line;
    size_t column;
    const char* expected;  // with the word replaced by #
  };
  for (const Case& c :
       {Case{"tile[32][threadIdx.y] = n;", 5, "tile[#][threadIdx.y] = n;"},
        Case{"tile[32][threadIdx.y] = n;", 9, "tile[32][#.y] = n;"},
        Case{"tile[32][threadIdx.y] = n;", 12, "tile[32][#.y] = n;"}, Case{"a + b", 4, "a + #"},
        Case{"a + b", 0, "# + b"}, Case{"in[i]", 3, "in[#]"}}) {
    put(c.line);
    click(0, c.column, 2);
    type("#");
    EXPECT_EQ(text(), c.expected) << c.line << " at " << c.column;
  }
}

TEST_F(GestureTest, TheMouseSelectsAndPutsCarets) {
  open("coalescing", "one-warp");
  put("one two\nthree four\n");
  drag(0, 4, 1, 5);
  type("#");
  EXPECT_EQ(text(), "one # four\n");
  put("ab\ncd\n");
  click(0, 1);
  click(1, 1, 1, "Ctrl");
  type("#");
  EXPECT_EQ(text(), "a#b\nc#d\n");
  put("one two three");
  click(0, 4);
  click(0, 7, 1, "Shift");
  type("#");
  EXPECT_EQ(text(), "one # three");
}

// The mouse rests somewhere, and an explanation of that would cover what is typed.
TEST_F(GestureTest, NothingIsExplainedWhileOneTypes) {
  open("scans", "warp");
  EXPECT_TRUE(look().tooltips);
  type("x");
  app().frame(false);
  EXPECT_FALSE(look().tooltips);
  move_to(place_of(2, 3));
  app().frame(false);
  EXPECT_TRUE(look().tooltips);
}

// Lines above the view go while a place below is still to be shown.
TEST_F(GestureTest, ManySelectedLinesAreErased) {
  open("scans", "warp");
  const std::string before = text();
  type("<Ctrl+G>7<Enter>");
  for (int n = 0; n < 10; ++n) type("<Shift+Down>");
  type("<Shift+End><Delete>");
  for (int frame = 0; frame < 4; ++frame) app().frame(false);
  EXPECT_LT(text().size(), before.size());
  type("<Ctrl+Z>");
  EXPECT_EQ(text(), before);
}

// Whatever keys come in whatever order, undoing goes back through every text to the first one, and
// redoing forth to the last.
TEST_F(GestureTest, AnyKeysInAnyOrderCanBeUndone) {
  constexpr const char* kKeys[] = {"<Up>",
                                   "<Down>",
                                   "<Left>",
                                   "<Right>",
                                   "<Home>",
                                   "<End>",
                                   "<PageDown>",
                                   "<PageUp>",
                                   "<Ctrl+Home>",
                                   "<Ctrl+End>",
                                   "<Ctrl+Right>",
                                   "<Ctrl+Left>",
                                   "<Shift+Up>",
                                   "<Shift+Down>",
                                   "<Shift+Left>",
                                   "<Shift+Right>",
                                   "<Shift+Home>",
                                   "<Shift+End>",
                                   "<Ctrl+Shift+Right>",
                                   "<Shift+PageDown>",
                                   "<Ctrl+A>",
                                   "<Delete>",
                                   "<Backspace>",
                                   "<Ctrl+Delete>",
                                   "<Ctrl+Backspace>",
                                   "<Enter>",
                                   "<Tab>",
                                   "<Shift+Tab>",
                                   "<Ctrl+/>",
                                   "<Ctrl+D>",
                                   "<Alt+Up>",
                                   "<Alt+Down>",
                                   "<Ctrl+Shift+Down>",
                                   "<Ctrl+Shift+K>",
                                   "<Ctrl+Alt+Down>",
                                   "<Ctrl+Alt+Up>",
                                   "<Ctrl+X>",
                                   "<Ctrl+C>",
                                   "<Ctrl+V>",
                                   "<Ctrl+Z>",
                                   "<Ctrl+Y>",
                                   "<Ctrl+]>",
                                   "<Ctrl+[>",
                                   "{",
                                   "}",
                                   "(",
                                   ")",
                                   "[",
                                   "]",
                                   "\"",
                                   "'",
                                   ";",
                                   "thread",
                                   "x",
                                   " ",
                                   "// ",
                                   "__sy",
                                   "<Ctrl+Space>"};
  const char* seed = std::getenv("WARPSHOP_TYPING_SEED");
  std::mt19937 random(seed ? static_cast<uint32_t>(std::strtoul(seed, nullptr, 10)) : 1);
  const char* length = std::getenv("WARPSHOP_TYPING_KEYS");
  const int keys = length ? std::atoi(length) : 150;
  open("scans", "warp");
  const std::string before = text();
  std::string typed;
  for (int n = 0; n < keys; ++n) {
    at_once_ = random() % 4 != 0;
    const char* key = kKeys[random() % std::size(kKeys)];
    typed += key;
    if (std::getenv("WARPSHOP_TYPING_SHOW")) std::fprintf(stderr, "%s", key);
    type(key);
  }
  at_once_ = false;
  for (int frame = 0; frame < 4; ++frame) app().frame(false);
  const std::string after = text();
  for (int n = 0; n < 2 * keys && text() != before; ++n) type("<Ctrl+Z>");
  EXPECT_EQ(text(), before) << typed;
  for (int n = 0; n < 2 * keys && text() != after; ++n) type("<Ctrl+Y>");
  EXPECT_EQ(text(), after) << typed;
}

}  // namespace
}  // namespace warpshop::ui
