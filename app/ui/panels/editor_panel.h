// The student's kernel: text with CUDA highlighting, the cost of every line in columns beside it,
// errors and findings where they are, also while the text changes.
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
#include "panels/hall_code.h"
#include "panels/line_column.h"
#include "panels/line_figures.h"
#include "text/glossary.h"

namespace warpshop::ui {

struct EditorPanelState {
  std::unique_ptr<TextEditor> editor;
  std::string shown;      // "lab/step" whose text is shown; in a lecture with "#" and its scene
  uint64_t revision = 0;  // of View::text_revision
  const Theme* theme = nullptr;
  bool changed = false;           // by the student, in this frame
  std::vector<TextStep> steps;    // of this frame
  size_t undo_index = 0;          // of the editor, after the last of them
  bool focus = false;             // give it the keyboard in the next frame
  bool focused = false;           // it has the keyboard
  SourcePlace go_to;              // line > 0: the cursor goes there in the next frame
  std::vector<Gesture> gestures;  // to be made in the next frame
  FindBarState find;
  std::vector<GlossaryEntry> glossary;  // once a word was pointed at
  std::string glossary_language;
  bool to_top = false;  // the text is another one
  // Where the caret was and what line stood at the top when the window was closed: for the first
  // text that is shown.
  struct Left {
    size_t line = 0, column = 0, top = 0;
  };
  std::optional<Left> left;
  int left_frames =
      0;  // in which that is still tried: a text that is new has no height to scroll in yet
  Left place() const;
  bool has_focus = false;   // the panel has, not its code
  bool mouse_asks = false;  // it was moved since something was typed
  // Of a lecture: how large its code is, and in what space.
  HallCode hall;
  ImVec2 hall_space{};
  size_t hall_rows = 1;  // in sight
  float row_height = 0;  // of the code; 0: not drawn yet
  int point_at = 0;      // a line to select and show, without the keyboard; 0: none
  int pointed_frames =
      0;  // in which that was tried: a text that is new has no height to scroll in yet
  // What the markers were made from.
  const PreparedResult* marked = nullptr;
  bool marked_stale = false;
  int marked_line = 0;           // -1: the markers are gone
  std::map<int, ImU32> grounds;  // of marked lines of the editor, from 1
  // By line of the editor, from 0: the line it comes from in the text whose figures are shown, and
  // in the newest that ran.
  std::vector<int> shown_origins, newest_origins;
  struct OriginsOf {
    const PreparedResult *shown = nullptr, *newest = nullptr;
    std::string text;
    bool operator==(const OriginsOf&) const = default;
  };
  OriginsOf origins_of;
  int result_line()
      const;  // of the cursor, in the text whose figures are shown; 0: the line is new
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
