// The student's kernel: text with CUDA highlighting, the cost of every line at its right, errors and
// findings where they are.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "TextEditor.h"
#include "app/commands.h"
#include "app/view.h"
#include "panels/line_figures.h"

namespace warpshop::ui {

struct EditorPanelState {
  std::unique_ptr<TextEditor> editor;
  std::string shown;            // "lab/step" whose text is shown
  uint64_t revision = 0;        // of View::text_revision
  const Theme* theme = nullptr;
  bool changed = false;         // by the student, in this frame
  std::vector<std::string> texts;  // after each change of this frame
  bool focus = false;           // give it the keyboard in the next frame
  bool focused = false;         // it has the keyboard
  SourcePlace go_to;            // line > 0: the cursor goes there in the next frame
  int point_at = 0;            // a line to select and show, without the keyboard; 0: none
  int pointed_frames = 0;      // in which that was tried: a text that is new has no height to scroll in yet
  // What the markers were made from.
  const PreparedResult* marked = nullptr;
  bool marked_stale = false;
  int marked_line = 0;
  std::map<int, ImU32> grounds;  // of marked lines
  // What is said of each line, and what it was worked out from.
  struct FiguresOf {
    const PreparedResult* result = nullptr;
    LineMeasure measure = LineMeasure::kMemory;
    std::string language;
    bool operator==(const FiguresOf&) const = default;
  };
  FiguresOf figures_of;
  std::map<int, LineFigure> figures;
};

void editor_panel(const View& view, EditorPanelState& state, CommandQueue& queue);

}  // namespace warpshop::ui
