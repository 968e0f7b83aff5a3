// Find, replace and "go to line": a bar above the code, which never covers it.
#pragma once

#include <string>
#include <vector>

#include "TextEditor.h"
#include "state/gesture.h"
#include "text/text_search.h"

namespace warpshop::ui {

struct FindBarState {
  enum class Mode { kClosed, kFind, kReplace, kLine };
  Mode mode = Mode::kClosed;
  std::string query, replacement, line;
  SearchOptions options;
  bool focus = false;          // focus its first field in the next frame
  int waits = 0;               // frames left for the field to get the focus
  std::vector<ImWchar> early;  // characters typed meanwhile
  bool early_enter = false;    // Enter was pressed after them
  bool close = false;          // in the next frame, and give the focus back to the editor
  TextEditor::DocPos anchor;   // where the search started
  // The matches, and the text and query that they are from.
  std::string text, found_query;
  SearchOptions found_options;
  std::vector<size_t> found;  // byte offsets into `text`
  size_t replaced = 0;        // at once, until text or query change
};

// True for the gestures that a lecture's kernel takes, too: they change nothing.
inline bool is_search(Gesture gesture) {
  return gesture == Gesture::kFind || gesture == Gesture::kFindNext ||
         gesture == Gesture::kFindPrevious;
}

// Converts a byte offset into the editor's position, which counts lines and whole characters.
TextEditor::DocPos position_of(const std::string& text, size_t byte);

void open_find_bar(FindBarState& state, FindBarState::Mode mode, const TextEditor& editor);
// Selects the next (1) or previous (-1) match from the cursor, wrapping around at the end.
void find_step(FindBarState& state, TextEditor& editor, int by);
// Draws the bar if it is open. `to_code`: closing it gives the code the keyboard.
void find_bar(FindBarState& state, TextEditor& editor, bool to_code);
// Frames all matches in `line` (from 0). `text`: screen position of the editor's first letter.
void draw_found(const FindBarState& state, const TextEditor& editor, size_t line, ImVec2 text,
                ImVec2 glyph);

}  // namespace warpshop::ui
