// Find, replace and "go to line": a bar above the code, which it never covers.
#pragma once

#include <string>
#include <vector>

#include "TextEditor.h"
#include "text/text_search.h"

namespace warpshop::ui {

struct FindBarState {
  enum class Mode { kClosed, kFind, kReplace, kLine };
  Mode mode = Mode::kClosed;
  std::string query, replacement, line;
  SearchOptions options;
  bool focus = false;          // its first field gets the keyboard in the next frame
  int waits = 0;               // frames that it may still take until it has it
  std::vector<ImWchar> early;  // typed until then
  bool early_enter = false;    // pressed behind them
  bool close = false;          // in the next frame, and the editor gets the keyboard back
  TextEditor::DocPos anchor;   // where the search began
  // What was found, of which text.
  std::string text, found_query;
  SearchOptions found_options;
  std::vector<size_t> found;  // bytes of the text
};

// Where a byte of the text is for the editor, which counts lines and whole characters.
TextEditor::DocPos position_of(const std::string& text, size_t byte);

void open_find_bar(FindBarState& state, FindBarState::Mode mode, const TextEditor& editor);
// Selects the next (1) or previous (-1) occurrence from the cursor on, around the end.
void find_step(FindBarState& state, TextEditor& editor, int by);
// Draws the bar where it is open.
void find_bar(FindBarState& state, TextEditor& editor);
// Frames all that was found in that line, from 0. `text`: where the editor's first letter stands.
void draw_found(const FindBarState& state, const TextEditor& editor, size_t line, ImVec2 text,
                ImVec2 glyph);

}  // namespace warpshop::ui
