// Annotations of each line of code: the heat of its memory accesses before it, their figures in
// columns after it, and its problem after its last letter. Drawn from the editor's decorator, which
// runs for each line inside the editor's own window.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "TextEditor.h"
#include "app/commands.h"
#include "app/view.h"
#include "imgui.h"
#include "panels/line_figures.h"

namespace warpshop::ui {

struct EditorPanelState;

// The message shown at a line: its first error, else warning, else finding.
struct LineNote {
  std::string message, help;
  bool error = false;
};
// By line of the text that ran.
std::map<int, LineNote> notes_of(const lab::RunResult& result);

LineMeasure measure_of(const View& view);
bool counted_by_chip(const View& view);  // by other rules than today's: see lab::KernelRun::chip

class LineColumn {
 public:
  LineColumn(const View& view, const EditorPanelState& state, CommandQueue& queue);

  // Width reserved beside the code for all columns of figures, in pixels. 0 in a lecture, where
  // each figure follows its line.
  float room() const { return room_; }
  // In a lecture: width of a line's figure including its distance from the code, and the largest
  // such width; 0 without a figure.
  float figure_room(int line) const;
  float widest_figure() const;
  void keep_apart(float room) { room_ = room; }

  // Draws the columns' units above the code; `right_bottom` is the lower right corner of the
  // columns.
  void draw_heads(ImVec2 right_bottom) const;
  void draw(const TextEditor::Decorator& line);
  // Screen position of the text's first letter, from any line's decorator after draw().
  ImVec2 text_origin(const TextEditor::Decorator& line) const;

 private:
  struct Row;  // the line being drawn
  void draw_figure(const Row& row, const LineFigure& figure) const;
  void draw_note(const Row& row, const LineNote& note);
  void note_code(const Row& row) const;
  std::string advice_of(int line) const;
  float code_end(const Row& row) const;
  float code_end(const Row& row, size_t line) const;  // as `row` is drawn
  void draw_message(const Row& row, const std::string& message, ImU32 color) const;
  float width_in_lecture(const LineFigure& figure) const;
  int origin(const std::vector<int>& origins, size_t line) const;

  const View& view_;
  CommandQueue& queue_;
  const EditorPanelState& state_;
  const TextEditor& editor_;
  const LineMeasure measure_;
  const bool chip_;  // counted by the chip's own rules
  const float em_;   // text size of the figures
  std::map<int, LineNote> notes_;
  float widths_[2] = {0, 0};  // of the columns
  float room_ = 0;
  std::optional<float> top_;  // y of the text's first row
};

}  // namespace warpshop::ui
