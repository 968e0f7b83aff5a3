// The student's kernel: an editor with CUDA highlighting, each line's cost in columns beside it,
// and errors and findings in place, updated while the text changes.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "TextEditor.h"
#include "app/commands.h"
#include "app/view.h"
#include "panels/find_bar.h"
#include "panels/lecture_code_size.h"
#include "panels/line_column.h"
#include "panels/line_figures.h"
#include "text/glossary.h"

namespace warpshop::ui {

struct EditorPanelState {
  std::unique_ptr<TextEditor> editor;
  std::string shown;  // "lab/step" of the text shown; in a lecture followed by "#" and the scene
  uint64_t revision = 0;  // View::text_revision of the text shown
  const Theme* theme = nullptr;
  bool changed = false;           // by the student in this frame
  std::vector<TextStep> steps;    // in this frame
  size_t undo_index = 0;          // the editor's, after the last of `steps`
  bool focus = false;             // take the keyboard focus in the next frame
  bool focused = false;           // the code has the keyboard focus
  SourcePlace go_to;              // line > 0: move the cursor there in the next frame
  std::vector<Gesture> gestures;  // to perform in the next frame
  FindBarState find;
  std::vector<GlossaryEntry> glossary;  // read when a word is first hovered
  std::string glossary_language;
  bool to_top = false;  // scroll to the top: another text is shown
  // Caret and top line when the window was last closed, restored with the first text shown.
  struct Left {
    size_t line = 0, column = 0, top = 0;
  };
  std::optional<Left> left;
  // Frames left to restore it in: a new text has no height to scroll in at first.
  int left_frames = 0;
  Left place() const;
  bool has_focus = false;   // the panel has the focus, not its code
  bool mouse_asks = false;  // the mouse has moved since the last key press
  // In a lecture: the size of the code, and the space it was computed for.
  LectureCodeSize hall;
  ImVec2 hall_space{};
  size_t hall_rows = 1;  // visible rows
  float row_height = 0;  // of the code; 0: not drawn yet
  int point_at = 0;      // line to select and show without taking the focus; 0: none
  // Frames in which that was tried: a new text has no height to scroll in at first.
  int pointed_frames = 0;
  // Inputs of the current markers.
  const PreparedResult* marked = nullptr;
  bool marked_stale = false;
  int marked_line = 0;           // -1: the markers were removed
  std::map<int, ImU32> grounds;  // background of marked editor lines, from 1
  // For each editor line, from 0: its line in the text whose figures are shown, and in the text
  // that ran last.
  std::vector<int> shown_origins, newest_origins;
  struct OriginsOf {
    const PreparedResult *shown = nullptr, *newest = nullptr;
    std::string text;
    bool operator==(const OriginsOf&) const = default;
  };
  OriginsOf origins_of;
  // The cursor's line in the text whose figures are shown; 0 if the line is new.
  int result_line() const;
  // The figures of each line, and the inputs they were computed from.
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
