// The student's kernel: text with CUDA highlighting, the cost of every line at its right, errors and
// findings where they are.
#pragma once

#include <memory>
#include <string>

#include "TextEditor.h"
#include "commands.h"
#include "view.h"

namespace warpshop::ui {

struct EditorPanelState {
  std::unique_ptr<TextEditor> editor;
  std::string shown;            // "lab/step" whose text is shown
  uint64_t revision = 0;        // of View::text_revision
  const Theme* theme = nullptr;
  bool changed = false;         // by the student, in this frame
  bool focus = false;           // give it the keyboard in the next frame
  bool focused = false;         // it has the keyboard
  SourcePlace go_to;            // line > 0: the cursor goes there in the next frame
  // What the markers were made from.
  const PreparedResult* marked = nullptr;
  bool marked_stale = false;
  int marked_line = 0;
};

void editor_panel(const View& view, EditorPanelState& state, CommandQueue& queue);

// "4 sect", "load 4 · store 32", "32 wave": what one execution of a line costs; "" for a line that
// touches no memory. `waste`: more than the line's lanes would need at best.
struct LineFigure {
  std::string text;
  bool waste = false;
};
LineFigure figure_of(const lab::LineCost& cost);

}  // namespace warpshop::ui
