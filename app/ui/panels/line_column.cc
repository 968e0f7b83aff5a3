#include "panels/line_column.h"

#include <algorithm>
#include <cmath>

#include "draw/observer.h"
#include "draw/tooltip.h"
#include "imgui_internal.h"
#include "lab/access_cost.h"
#include "panels/editor_panel.h"
#include "panels/lecture_code_size.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr float kFigure = 12;  // text size
constexpr float kHead = 11;
constexpr float kGap = 12;  // space before a column and at the right edge
// With fewer columns of code, figures have no columns of their own; see fits_beside().
constexpr float kLeastCodeColumns = 36;
const char* const kSlash = "/";  // between a load's figure and a store's

float text_width(const std::string& text, float em) {
  return text_size(look().fonts->regular, em, text).x;
}

// Returns the width of a column's parts including the separators between them.
float column_width(const LineFigure& figure, int column, float em) {
  float width = 0;
  for (const LineFigure::Part& part : figure.parts) {
    if (part.column != column) continue;
    width += text_width(part.text, em) + (width > 0 ? text_width(kSlash, em) : 0);
  }
  return width;
}

// True if the editor keeps enough room for code beside columns of that width.
bool fits_beside(float columns) {
  ScopedFont font(look().fonts->editor, kBody);
  return ImGui::GetWindowWidth() - columns >=
         px(60) + kLeastCodeColumns * ImGui::CalcTextSize("#").x;
}

// True if lines of the text, or of the step's own texts, can have a figure in the second column.
bool may_use_shared(const View& view, const std::string& text) {
  const auto declares = [](std::string_view code) {
    return code.find("__shared__") != std::string_view::npos;
  };
  const lab::Exercise* exercise = view.exercise();
  return declares(text) ||
         (exercise && (declares(exercise->skeleton) || declares(exercise->solution)));
}

}  // namespace

std::map<int, LineNote> notes_of(const lab::RunResult& result) {
  std::map<int, LineNote> notes;
  auto add = [&](const SourcePlace& place, const std::string& message, const std::string& help,
                 Severity severity) {
    if (place.line <= 0 || severity == Severity::kNote) return;
    if (!place.file.empty() && place.file != result.file_name) return;
    const bool error = severity == Severity::kError;
    const auto [at, fresh] = notes.try_emplace(place.line, LineNote{message, help, error});
    if (!fresh && error && !at->second.error) at->second = {message, help, error};
  };
  for (const Diagnostic& d : result.diagnostics)
    add(d.place, tr(d.message), tr(d.help), d.severity);
  for (const lab::SizeResult& size : result.sizes) {
    for (const Diagnostic& d : size.problems) add(d.place, tr(d.message), tr(d.help), d.severity);
    for (const emulator::Finding& finding : size.student.findings) {
      // Beside the code there is little room for how many instructions were too many.
      const bool endless = finding.kind == emulator::FindingKind::kTimeout;
      add(finding.place, endless ? tr("does not end") : tr(finding.message),
          endless ? tr(finding.message) : tr(finding.cause), finding.severity);
    }
  }
  return notes;
}

LineMeasure measure_of(const View& view) {
  return view.lecture ? LineMeasure::kMemory : view.line_measure;
}
bool counted_by_chip(const View& view) {
  const lab::KernelRun* run = view.result() ? view.result()->student() : nullptr;
  return run && run->chip;
}

struct LineColumn::Row {
  size_t line = 0;  // in the editor, from 0
  int number = 0;   // in the text whose figures are shown, from 1; 0: the line is new
  ImVec2 at;        // position of the decorator
  size_t first_row = 0, rows = 1;
  float height = 0, mark_width = 0;
  ImVec2 glyph;
  ImVec2 min, max;  // the whole line, without the columns
  bool over = false;
};

LineColumn::LineColumn(const View& view, const EditorPanelState& state, CommandQueue& queue)
    : view_(view),
      queue_(queue),
      state_(state),
      editor_(*state.editor),
      measure_(measure_of(view)),
      chip_(counted_by_chip(view)),
      em_(view.lecture ? kFigure / hall_magnification() : kFigure) {
  if (view.latest) notes_ = notes_of(view.latest->result);
  if (view.lecture) return;
  const auto units = columns_of(measure_, chip_);
  for (const int column : {0, 1}) {
    float& width = widths_[column];
    for (const auto& [line, figure] : state.figures)
      width = std::max(width, column_width(figure, column, em_));
    // Reserve columns before anything has run, so that the code does not jump later.
    const bool reserve = column == 0 || (measure_ == LineMeasure::kMemory &&
                                         may_use_shared(view, view.session->text()));
    if (reserve || width > 0)
      width = std::max(width, text_width(tr(units[static_cast<size_t>(column)]), kHead));
    if (width > 0) room_ += width + px(kGap);
  }
  room_ = std::ceil(room_ + px(kGap));
  // Code in a narrow strip is unreadable: each figure goes wherever its line leaves room.
  if (!fits_beside(room_)) room_ = widths_[0] = widths_[1] = 0;
}

float LineColumn::width_in_lecture(const LineFigure& figure) const {
  const auto units = columns_of(measure_, chip_);
  float width = 0;
  for (const int column : {0, 1}) {
    const float numbers = column_width(figure, column, em_);
    if (numbers > 0)
      width += numbers +
               text_width(" " + std::string(tr(units[static_cast<size_t>(column)])), em_) +
               (width > 0 ? px(14) : 0);
  }
  return width;
}

float LineColumn::figure_room(int line) const {
  const auto found = state_.figures.find(line);
  return found == state_.figures.end() ? 0 : width_in_lecture(found->second) + px(12) + px(10);
}

float LineColumn::widest_figure() const {
  float widest = 0;
  for (const auto& [line, figure] : state_.figures) widest = std::max(widest, figure_room(line));
  return widest;
}

int LineColumn::origin(const std::vector<int>& origins, size_t line) const {
  return line < origins.size() ? origins[line] : 0;
}

void LineColumn::draw_heads(ImVec2 right_bottom) const {
  const auto units = columns_of(measure_, chip_);
  float right = right_bottom.x - px(kGap);
  for (const int column : {1, 0}) {
    if (widths_[column] == 0) continue;
    const std::string unit = tr(units[static_cast<size_t>(column)]);
    const ImVec2 at{right, right_bottom.y - line_height(look().fonts->regular, kHead)};
    draw_text(ImGui::GetWindowDrawList(), at, look().fonts->regular, kHead, look()->muted, unit,
              Align::kRight);
    metric_area({right - widths_[column], at.y}, {right, right_bottom.y},
                metric_of(measure_, chip_));
    right -= widths_[column] + px(kGap);
  }
}

void LineColumn::draw(const TextEditor::Decorator& line) {
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImGuiWindow* window = ImGui::GetCurrentWindow();
  Row row;
  row.line = line.line;
  row.number = origin(state_.shown_origins, line.line);
  row.at = ImGui::GetCursorScreenPos();
  row.height = line.height;
  row.mark_width = line.width;
  row.glyph = line.glyphSize;
  // The editor advances by one row per line, even if a line is wrapped into several rows.
  if (!top_) top_ = row.at.y - static_cast<float>(editor_.GetFirstVisibleRow()) * line.height;
  row.first_row = editor_.DocPos2VisPos({line.line, 0}).row;
  row.rows = editor_.DocPos2VisPos({line.line, SIZE_MAX}).row - row.first_row + 1;
  row.at.y = *top_ + static_cast<float>(row.first_row) * line.height;
  row.min = {window->InnerRect.Min.x, row.at.y};
  row.max = {window->InnerRect.Max.x, row.at.y + static_cast<float>(row.rows) * line.height};
  if (draw_observer()) note_code(row);

  const ImVec2 end{row.max.x + room_, row.max.y};
  list->PushClipRect(window->InnerRect.Min, {end.x, window->InnerRect.Max.y});
  if (room_ > 0) {
    if (const auto ground = state_.grounds.find(static_cast<int>(line.line) + 1);
        ground != state_.grounds.end()) {
      list->AddRectFilled({std::floor(row.max.x), row.min.y}, end, ground->second);
    }
  }
  row.over = ImGui::IsWindowHovered(ImGuiHoveredFlags_AllowWhenBlockedByActiveItem) &&
             ImGui::IsMouseHoveringRect(row.min, row.max);
  // The columns are in the window around the editor's.
  const bool over_columns = room_ > 0 && ImGui::IsMouseHoveringRect({row.max.x, row.min.y}, end);
  if ((row.over || over_columns) && view_.result() && row.number > 0)
    queue_.point_at({0, row.number});
  if (!row.over && row.number > 0 && view_.pointing.line == row.number) {
    // Highlight the line that another panel refers to.
    list->AddRectFilled(row.min, end, with_alpha(t.accent, 0.10f));
  }
  const auto note = notes_.find(origin(state_.newest_origins, line.line));
  const auto figure = state_.figures.find(row.number);
  if (note != notes_.end()) draw_note(row, note->second);
  // If both would share the code's own space, an error takes precedence over the line's cost.
  if (figure != state_.figures.end() && (room_ > 0 || note == notes_.end() || !note->second.error))
    draw_figure(row, figure->second);
  list->PopClipRect();
}

void LineColumn::draw_figure(const Row& row, const LineFigure& figure) const {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float alpha = view_.stale ? 0.35f : 1.0f;
  const bool waste = figure.waste();
  const auto strength = static_cast<float>(0.2 + 0.8 * figure.heat);
  const bool marked = notes_.contains(origin(state_.newest_origins, row.line));
  if (!marked) {
    draw_bar(list, {row.at.x + px(1), row.at.y + px(2)},
             {row.at.x + px(6), row.at.y + row.height - px(2)},
             with_alpha(waste ? t.poor : t.good, alpha * (waste ? 1.0f : 0.55f) * strength), waste,
             px(2));
  }
  const auto units = columns_of(measure_, chip_);
  // Beside the code: in the line's first row. Right after the code: in its last.
  const float top = room_ > 0 ? row.at.y : row.max.y - row.height;
  const float y = top + (row.height - line_height(f.regular, em_)) / 2;
  const float right_edge = row.max.x + room_ - px(kGap);
  const bool in_code = room_ == 0;
  if (in_code) {
    // Omit the figure if code fills the row.
    if (code_end(row) > right_edge - width_in_lecture(figure) - px(10)) return;
    // Hide long code behind the figure, so that the two do not overlap.
    const auto ground = state_.grounds.find(static_cast<int>(row.line) + 1);
    const ImVec2 behind{right_edge - width_in_lecture(figure) - px(10), top},
        end{right_edge + px(12), top + row.height};
    list->AddRectFilled(behind, end, t.panel);
    if (ground != state_.grounds.end()) list->AddRectFilled(behind, end, ground->second);
  }
  const float left = in_code || view_.lecture ? right_edge - width_in_lecture(figure) : row.max.x;
  const ImVec2 min{left, top}, max{right_edge + px(kGap), top + row.height};
  std::string more = figure.detail;
  if (measure_ == LineMeasure::kMemory) {
    if (const std::string advice = advice_of(row.number); !advice.empty())
      more = advice + (more.empty() ? "" : "\n" + more);
  }
  in_code ? metric_area(min, max, metric_of(measure_, chip_), more)
          : metric_area_beside(min, max, metric_of(measure_, chip_), more);
  const bool with_units = in_code || view_.lecture;
  float right = right_edge;
  for (const int column : {1, 0}) {
    const float numbers = column_width(figure, column, em_);
    float x = right - numbers;
    if (with_units && numbers > 0) {
      const std::string unit = " " + std::string(tr(units[static_cast<size_t>(column)]));
      x -= text_width(unit, em_);
      draw_text(list, {x + numbers, y}, f.regular, em_, with_alpha(t.muted, alpha), unit);
      right = x - px(14);
    } else if (!with_units && widths_[column] > 0) {
      right -= widths_[column] + px(kGap);
    }
    bool first = true;
    for (const LineFigure::Part& part : figure.parts) {
      if (part.column != column) continue;
      if (!first) {
        draw_text(list, {x, y}, f.regular, em_, with_alpha(t.muted, alpha), kSlash);
        x += text_width(kSlash, em_);
      }
      first = false;
      draw_text(list, {x, y}, f.regular, em_, with_alpha(part.waste ? t.poor : t.muted, alpha),
                part.text);
      x += text_width(part.text, em_);
    }
  }
}

ImVec2 LineColumn::text_origin(const TextEditor::Decorator& line) const {
  return {ImGui::GetCursorScreenPos().x + line.width + line.glyphSize.x -
              ImGui::GetCurrentWindow()->Scroll.x,
          top_.value_or(0)};
}

// Tells the observer of the code, since the editor draws its text by itself.
void LineColumn::note_code(const Row& row) const {
  const ImRect room = ImGui::GetCurrentWindow()->InnerRect;
  const std::string text = editor_.GetLineText(row.line);
  const float left = row.at.x + row.mark_width + row.glyph.x;  // including its margin
  std::map<size_t, size_t> ends;                               // last column of each row
  for (size_t index = 0; index <= text.size(); ++index) {
    const TextEditor::VisPos place = editor_.DocPos2VisPos({row.line, index});
    ends[place.row] = std::max(ends[place.row], place.column);
  }
  for (const auto& [at, column] : ends) {
    const float y = row.at.y + static_cast<float>(at - row.first_row) * row.height;
    note_text({left, y}, {left + static_cast<float>(column) * row.glyph.x, y + row.height},
              "code " + std::to_string(row.line + 1) + ": " + text, room.Min, room.Max);
  }
}

// Describes the index of the line's most expensive recorded access to global memory; empty if there
// is none.
std::string LineColumn::advice_of(int line) const {
  const std::optional<size_t> entry = view_.prepared->accesses.of_line(line, view_.selected);
  if (!entry || view_.prepared->accesses.entries[*entry].shared) return {};
  return tr(lab::index_advice_of(
                request_of(*view_.result()->student(), view_.prepared->accesses.entries[*entry]))
                .text);
}

// Returns where the code in the last row of the line ends on the screen.
float LineColumn::code_end(const Row& row) const { return code_end(row, row.line); }
float LineColumn::code_end(const Row& row, size_t line) const {
  const auto columns = editor_.DocPos2VisPos({line, SIZE_MAX}).column;
  return row.at.x + row.mark_width + (static_cast<float>(columns) + 1) * row.glyph.x -
         ImGui::GetCurrentWindow()->Scroll.x;
}

// Draws the message in the line's own row, shortened if need be; the tooltip and the Findings panel
// show it in full. If code leaves no room there for what can be understood, it is drawn beside the
// next line or the previous one if there is more, with an arrow to its own.
void LineColumn::draw_message(const Row& row, const std::string& message, ImU32 color) const {
  constexpr float kMessage = 12.5f;
  const Face& face = look().fonts->regular;
  const float beside = code_end(row) + 2 * row.glyph.x, right = row.max.x - px(4);
  const float all = text_size(face, kMessage, message).x;
  const float enough = std::min(all, text_size(face, kMessage, std::string(20, 'n')).x);
  const float least = px(60), inset = (row.height - line_height(face, kMessage)) / 2;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto draw_in_row = [&] {
    draw_text_cut(list, {beside, row.max.y - row.height + inset}, face, kMessage, color, message,
                  right - beside);
  };
  if (right - beside >= enough) {
    draw_in_row();
    return;
  }
  for (const bool below : {true, false}) {
    if (!below && row.line == 0) continue;
    const size_t line = below ? row.line + 1 : row.line - 1;
    if (line >= editor_.GetLineCount() || notes_.contains(origin(state_.newest_origins, line)) ||
        editor_.DocPos2VisPos({line, 0}).row != editor_.DocPos2VisPos({line, SIZE_MAX}).row)
      continue;
    const float from = code_end(row, line) + 2 * row.glyph.x, arrow = px(16);
    if (right - from - arrow <= std::max(least, right - beside)) continue;
    const float top = below ? row.max.y : row.min.y - row.height;
    draw_chevron(list, {from + arrow / 2, top + row.height / 2}, px(8),
                 below ? ImGuiDir_Up : ImGuiDir_Down, color, px(1.6f));
    draw_text_cut(list, {from + arrow, top + inset}, face, kMessage, color, message,
                  right - from - arrow);
    return;
  }
  if (right - beside > least) draw_in_row();
}

void LineColumn::draw_note(const Row& row, const LineNote& note) {
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImU32 color = with_alpha(note.error ? t.poor : t.muted, view_.latest_stale ? 0.4f : 1.0f);
  const ImVec2 mark{row.at.x + px(4), row.at.y + row.height / 2};
  if (note.error) {
    draw_cross(list, mark, px(9), color, px(2));
  } else {
    list->AddCircleFilled(mark, px(3), color);
  }
  draw_message(row, note.message, color);
  if (row.over && state_.mouse_asks) tooltip(tr("Line {}", row.line + 1), note.message, note.help);
}

}  // namespace warpshop::ui
