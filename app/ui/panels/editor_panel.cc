#include "panels/editor_panel.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <utility>

#include "draw/widgets.h"
#include "imgui_internal.h"
#include "maps/csv_tables.h"
#include "models/index_advice.h"
#include "panels/export_menu.h"
#include "text/cuda_language.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

constexpr float kHallCode = 10.5f;  // the smallest that the last row can read

// What is said at a line: the first error, else warning, else finding.
struct LineNote {
  std::string message, help;
  bool error = false;
};

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
  for (const Diagnostic& d : result.diagnostics) add(d.place, tr(d.message), tr(d.help), d.severity);
  for (const lab::SizeResult& size : result.sizes) {
    for (const Diagnostic& d : size.problems) add(d.place, tr(d.message), tr(d.help), d.severity);
    for (const emulator::Finding& finding : size.student.findings) {
      add(finding.place, tr(finding.message), tr(finding.cause), finding.severity);
    }
  }
  return notes;
}

size_t letters_of(std::string_view text) {
  const auto begins = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), begins));
}

// The columns of a line's last row, wrapped as the editor wraps it: behind spaces, rows as far in as the first.
size_t last_row(std::string_view text, size_t columns) {
  size_t at = 0, row = 0, start = 0, breakable = 0;
  std::string letters(text);
  std::erase_if(letters, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
  const size_t indent = std::min(letters.find_first_not_of(' '), letters.size());
  while (at < letters.size()) {
    if (++row < columns) {
      if (letters[at++] == ' ') breakable = at;
      continue;
    }
    start = breakable = at = breakable == start ? at + 1 : breakable;
    row = indent;
  }
  return row;
}

// Where a byte of the text is for the editor, which counts lines and whole characters.
TextEditor::DocPos position_of(const std::string& text, size_t byte) {
  const size_t end = std::min(byte, text.size());
  const auto line = static_cast<size_t>(std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(end), '\n'));
  const size_t start = line == 0 ? 0 : text.rfind('\n', end - 1) + 1;
  return {line, letters_of(std::string_view(text).substr(start, end - start))};
}

// The changes of earlier sessions are made again, so that the editor can undo them.
void take_history(const UndoJournal& undo, const std::string& wanted, TextEditor& editor) {
  std::string text = undo.base();
  editor.SetText(text);
  for (const TextChange& change : undo.changes()) {
    editor.ReplaceSectionText(position_of(text, change.at), position_of(text, change.at + change.removed.size()), change.inserted);
    text.replace(change.at, change.removed.size(), change.inserted);
  }
  for (size_t n = undo.changes().size(); n > undo.place(); --n) editor.Undo();
  if (editor.GetText() != wanted) editor.SetText(wanted);
  editor.SetCursor({0, 0});
}

void take_text(const View& view, EditorPanelState& state) {
  const std::string key = view.session->place();
  TextEditor& editor = *state.editor;
  if (state.shown != key) {
    state.shown = key;
    take_history(view.session->undo(), view.session->text(), editor);
    state.changed = false;
    editor.ClearMarkers();
    state.marked = nullptr;
    state.marked_line = 0;
  } else if (state.revision != view.text_revision && editor.GetText() != view.session->text()) {
    // The same file with another text: one change that can be undone.
    const TextEditor::DocPos cursor = editor.GetMainCursorPosition();
    const size_t last = editor.GetLineCount() - 1;
    editor.ReplaceSectionText({0, 0}, {last, editor.GetLineText(last).size()},
                              view.session->text());
    editor.SetCursor({std::min(cursor.line, editor.GetLineCount() - 1), cursor.index});
    state.changed = false;
  }
  state.revision = view.text_revision;
}

void make_editor(EditorPanelState& state) {
  state.editor = std::make_unique<TextEditor>();
  TextEditor& editor = *state.editor;
  editor.SetLanguage(cuda_language());
  editor.SetTabSize(4);
  editor.SetInsertSpacesOnTabs(true);
  editor.SetShowWhitespacesEnabled(false);
  editor.SetShowMatchingBrackets(true);
  editor.SetCompletePairedGlyphs(true);
  editor.SetShowScrollbarMiniMapEnabled(false);
  editor.SetLineSpacing(kEditorLine);
  // Where a lecture wraps long lines: between words, not behind a bracket.
  TextEditor::LineBreakConfig breaks;
  breaks.breakAfter = " ";
  breaks.breakBefore.clear();
  editor.SetLineBreakConfig(breaks);
  editor.SetChangeCallback([&state] { state.changed = true; });
  // Several changes may come in one frame, and each can be undone by itself.
  editor.SetTransactionCallback(
      [&state](const std::vector<TextEditor::Change>&) { state.texts.push_back(state.editor->GetText()); });
}

void mark_lines(const View& view, EditorPanelState& state) {
  const AccessEntry* entry = view.access();
  const int film_line = view.film_line();
  // In a lecture the script says which, before its cost may be seen.
  const int of_scene = view.lecture ? view.lecture->current().line : 0;
  const int line = view.stale ? 0 : film_line > 0 ? film_line : entry ? entry->line : of_scene;
  const bool stale = view.latest_stale || view.stale;
  if (state.marked == view.latest && state.marked_line == line && state.marked_stale == stale && state.theme == look().theme) {
    return;
  }
  state.marked = view.latest;
  state.marked_line = line;
  state.marked_stale = stale;
  TextEditor& editor = *state.editor;
  editor.ClearMarkers();
  const auto lines = static_cast<int>(editor.GetLineCount());
  const Theme& t = *look().theme;
  std::map<int, ImU32>& grounds = state.grounds;
  grounds.clear();
  if (line > 0) {
    const bool access = entry && entry->line == line;
    const ImU32 color = !access ? t.accent : entry->waste() > 0 ? t.poor : t.good;
    grounds[line] = with_alpha(color, t.dark ? 0.16f : 0.14f);
  }
  if (view.latest && !view.latest_stale) {
    for (const auto& [at, note] : notes_of(view.latest->result)) {
      if (note.error) grounds[at] = with_alpha(t.poor, t.dark ? 0.20f : 0.16f);
    }
  }
  for (const auto& [at, color] : grounds) {
    if (at <= lines) editor.AddMarker(static_cast<size_t>(at - 1), 0, color, "", "");
  }
}

LineMeasure measure_of(const View& view) { return view.lecture ? LineMeasure::kMemory : view.line_measure; }

// The lines' figures go through all of the run's counters or timelines: once for what is shown, not in every frame.
void work_out_figures(const View& view, EditorPanelState& state) {
  EditorPanelState::FiguresOf of{view.prepared, measure_of(view), language().id};
  if (state.figures_of == of) return;
  state.figures = view.result() ? line_figures(*view.result(), of.measure) : std::map<int, LineFigure>{};
  state.figures_of = std::move(of);
}

// The heat beside a line, its figure at the right edge and its message behind the code. Drawn from the
// editor's decorator, which stands at the line inside the editor's own window.
class LineDecorator {
 public:
  LineDecorator(const View& view, const EditorPanelState& state, CommandQueue& queue)
      : view_(view), queue_(queue), editor_(*state.editor), grounds_(state.grounds), figures_(state.figures),
        measure_(measure_of(view)), stale_(view.stale), notes_stale_(view.latest_stale) {
    if (view.latest) notes_ = notes_of(view.latest->result);
  }

  // The widest figure of a line, with the code's distance to it; of one line, 0: it has none.
  float widest_figure() const {
    float widest = 0;
    for (const auto& [number, figure] : figures_) widest = std::max(widest, figure_room(number));
    return widest;
  }
  float figure_room(int number) const {
    const auto found = figures_.find(number);
    return found == figures_.end() ? 0 : width_of(found->second) + px(12) + px(10);
  }

  // Beside the code, right of the editor, is this room for the figures.
  void keep_apart(float room) { apart_ = room; }

  void draw(const TextEditor::Decorator& line) {
    const int number = static_cast<int>(line.line) + 1;
    ImDrawList* list = ImGui::GetWindowDrawList();
    ImVec2 at = ImGui::GetCursorScreenPos();
    // The editor goes on by one row from line to line, also where a line is wrapped into several.
    if (!top_) top_ = at.y - static_cast<float>(editor_.GetFirstVisibleRow()) * line.height;
    const size_t row = editor_.DocPos2VisPos({line.line, 0}).row;
    const size_t rows = editor_.DocPos2VisPos({line.line, SIZE_MAX}).row - row + 1;
    at.y = *top_ + static_cast<float>(row) * line.height;
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    const float right = window->InnerRect.Max.x + apart_ - px(12);
    if (view_.lecture) note_code(line, at, row);
    // In a wrapped line's last row, unless there is room for it beside the text.
    figure_at_ = at.y + (apart_ > 0 ? 0.0f : static_cast<float>(rows - 1) * line.height);
    if (apart_ > 0) {
      list->PushClipRect(window->InnerRect.Min, {window->InnerRect.Max.x + apart_, window->InnerRect.Max.y});
      if (const auto ground = grounds_.find(number); ground != grounds_.end()) {
        list->AddRectFilled({std::floor(window->InnerRect.Max.x), at.y},
                            {window->InnerRect.Max.x + apart_, at.y + static_cast<float>(rows) * line.height}, ground->second);
      }
    }
    draw_beside(line, number, at, right);
    if (apart_ > 0) list->PopClipRect();
  }

 private:
  void draw_beside(const TextEditor::Decorator& line, int number, ImVec2 at, float right) {
    const Theme& t = *look().theme;
    const Fonts& f = *look().fonts;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    const float alpha = stale_ ? 0.35f : 1.0f;
    const ImVec2 row_min{window->InnerRect.Min.x, at.y}, row_max{window->InnerRect.Max.x, at.y + line.height};
    const bool over = ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(row_min, row_max);
    if (over && view_.result()) queue_.point_at({0, number});
    if (!over && view_.pointing.line == number) {
      // The line that another panel speaks of.
      list->AddRectFilled(row_min, row_max, with_alpha(t.accent, 0.10f));
    }
    if (auto found = notes_.find(number);
        found != notes_.end() && (found->second.error || !figures_.contains(number))) {
      // What is wrong goes before what it costs.
      draw_note(found->second, line, at, right, notes_stale_ ? 0.4f : 1.0f);
      return;
    }
    if (auto found = figures_.find(number); found != figures_.end()) {
      const LineFigure& figure = found->second;
      const bool waste = figure.waste();
      const auto strength = static_cast<float>(0.2 + 0.8 * figure.heat);
      draw_bar(list, {at.x + px(1), at.y + px(2)}, {at.x + px(6), at.y + line.height - px(2)},
               with_alpha(waste ? t.poor : t.good, alpha * (waste ? 1.0f : 0.55f) * strength), waste, px(2));
      const float width = width_of(figure);
      const float y = figure_at_ + (line.height - line_height(f.regular, 12)) / 2;
      // The line that is being edited shows all of its code.
      const bool here = editor_.GetMainCursorPosition().line == line.line;
      if (here && !view_.lecture && code_end(line, at) > right - width - px(10)) return;
      // Long code ends below the figure, not in it.
      const auto ground = grounds_.find(number);
      const ImVec2 min{right - width - px(10), figure_at_}, max{right + px(12), figure_at_ + line.height};
      if (apart_ == 0) {
        list->AddRectFilled(min, max, t.panel);
        if (ground != grounds_.end()) list->AddRectFilled(min, max, ground->second);
      }
      const std::string more = !over ? std::string() : measure_ == LineMeasure::kMemory ? advice_of(number) : figure.detail;
      metric_area(min, max, metric_of(measure_), more);
      float x = right - width;
      for (const LineFigure::Part& part : figure.parts) {
        draw_text(list, {x, y}, f.regular, 12, with_alpha(part.waste ? t.poor : t.muted, alpha),
                  part.text);
        x += text_size(f.regular, 12, part.text).x + px(14);
      }
    }
  }

  static float width_of(const LineFigure& figure) {
    float width = px(14) * static_cast<float>(figure.parts.size() - 1);
    for (const LineFigure::Part& part : figure.parts) width += text_size(look().fonts->regular, 12, part.text).x;
    return width;
  }

  // The editor draws its letters by itself; the tests look whether a class sees all of them.
  void note_code(const TextEditor::Decorator& line, ImVec2 at, size_t first_row) const {
    if (!drawn_texts()) return;
    const ImRect room = ImGui::GetCurrentWindow()->InnerRect;
    const std::string text = editor_.GetLineText(line.line);
    const float left = at.x + line.width + line.glyphSize.x;  // and its margin
    std::map<size_t, size_t> ends;                            // the last column of each row
    for (size_t index = 0; index <= text.size(); ++index) {
      const TextEditor::VisPos place = editor_.DocPos2VisPos({line.line, index});
      ends[place.row] = std::max(ends[place.row], place.column);
    }
    for (const auto& [row, column] : ends) {
      const float y = at.y + static_cast<float>(row - first_row) * line.height;
      note_text({left, y}, {left + static_cast<float>(column) * line.glyphSize.x, y + line.height},
                "code " + std::to_string(line.line + 1) + ": " + text, room.Min, room.Max);
    }
  }

  // What the index of the line's costliest access to global memory does; empty: it makes none that was recorded.
  std::string advice_of(int line) const {
    const std::optional<size_t> entry = view_.prepared->accesses.of_line(line, view_.selected);
    if (!entry || view_.prepared->accesses.entries[*entry].shared) return {};
    return tr(models::advise_index(request_of(*view_.result()->student(), view_.prepared->accesses.entries[*entry])).text);
  }

  // Where the line's code ends on the screen.
  float code_end(const TextEditor::Decorator& line, ImVec2 at) const {
    const auto columns = editor_.DocPos2VisPos({line.line, SIZE_MAX}).column;
    return at.x + line.width + (static_cast<float>(columns) + 1) * line.glyphSize.x -
           ImGui::GetCurrentWindow()->Scroll.x;
  }

  void draw_note(const LineNote& note, const TextEditor::Decorator& line, ImVec2 at,
                 float message_right, float alpha) const {
    const Theme& t = *look().theme;
    const Fonts& f = *look().fonts;
    ImDrawList* list = ImGui::GetWindowDrawList();
    const ImGuiWindow* window = ImGui::GetCurrentWindow();
    const ImU32 color = with_alpha(note.error ? t.poor : t.muted, alpha);
    const ImVec2 mark{at.x + px(4), at.y + line.height / 2};
    if (note.error) {
      draw_cross(list, mark, px(9), color, px(2));
    } else {
      list->AddCircleFilled(mark, px(3), color);
    }
    const float left = code_end(line, at) + 2 * line.glyphSize.x;
    const float y = at.y + (line.height - line_height(f.regular, 12.5f)) / 2;
    if (message_right - left > px(60)) {
      draw_text_cut(list, {left, y}, f.regular, 12.5f, color, note.message, message_right - left);
    }
    const ImVec2 min{window->InnerRect.Min.x, at.y}, max{window->InnerRect.Max.x, at.y + line.height};
    if (ImGui::IsWindowHovered() && ImGui::IsMouseHoveringRect(min, max)) {
      tooltip(tr("Line {}", line.line + 1), note.message, note.help);
    }
  }

  const View& view_;
  CommandQueue& queue_;
  const TextEditor& editor_;
  const std::map<int, ImU32>& grounds_;
  const std::map<int, LineFigure>& figures_;
  const LineMeasure measure_;
  const bool stale_, notes_stale_;
  std::map<int, LineNote> notes_;
  float apart_ = 0, figure_at_ = 0;
  std::optional<float> top_;  // of the text's first row
};

constexpr float kMark = 8;  // beside the line numbers

// A class cannot scroll: in a lecture the code is as large as its longest line and the figure beside it leave it,
// comments apart. Where that is too small to be read, long lines are wrapped, and a figure stands in its line's last
// row; where that has no room for one either, all figures stand beside the text.
struct HallCode {
  float em = kBody;
  float figures = 0;  // the room beside the text, in pixels
};

// The editor's columns at that size: whole pixels.
float column_width(float em) {
  ScopedFont font(look().fonts->editor, em);
  return ImGui::CalcTextSize("#").x;
}

HallCode hall_code(const TextEditor& editor, const LineDecorator& decorator, float width) {
  struct CodeLine {
    std::string text;
    float columns = 0, figure = 0;
  };
  std::vector<CodeLine> lines;
  // The editor's margins: before and behind the line numbers, and behind the mark.
  const size_t gutter = std::to_string(editor.GetLineCount()).size() + 3;
  for (size_t line = 0; line < editor.GetLineCount(); ++line) {
    std::string text = editor.GetLineText(line);
    const size_t code = text.find_first_not_of(' ');
    if (code == std::string::npos || text.compare(code, 2, "//") == 0) continue;
    const auto columns = static_cast<float>(gutter + letters_of(text) + 1);
    lines.push_back({std::move(text), columns, decorator.figure_room(static_cast<int>(line) + 1)});
  }
  const float room = width - px(kMark);
  for (float em = kBody + 1; em >= kHallCode; em -= 0.5f) {
    const float column = column_width(em);
    const auto fits = [&](const CodeLine& line) { return line.columns * column + line.figure <= room; };
    if (std::all_of(lines.begin(), lines.end(), fits)) return {em};
  }
  const float column = column_width(kHallCode);
  const auto columns = static_cast<size_t>(std::max(room / column, static_cast<float>(gutter + 2))) - gutter;
  const bool beside = std::any_of(lines.begin(), lines.end(), [&](const CodeLine& line) {
    return line.figure > 0 && static_cast<float>(gutter + last_row(line.text, columns) + 1) * column + line.figure > room;
  });
  return {kHallCode, beside ? std::ceil(decorator.widest_figure()) : 0};
}

constexpr int kPointFrames = 7;

// All rows of a line. The last visible row is the one behind the last that is in sight, maybe in part.
bool in_sight(const TextEditor& editor, size_t line) {
  const size_t first = editor.DocPos2VisPos({line, 0}).row, last = editor.DocPos2VisPos({line, SIZE_MAX}).row;
  return first >= editor.GetFirstVisibleRow() && last + 1 < editor.GetLastVisibleRow();
}

std::string state_of_text(const View& view, size_t line) {
  const char* state = view.session->dirty() ? tr("edited") : view.session->on_disk() ? tr("saved") : tr("new");
  return tr("{} · line {}", state, line + 1);
}

float measure_width(LineMeasure measure) {
  return text_size(look().fonts->regular, kLabel, tr(title_of(measure))).x + px(14);
}

// What stands at the lines' right edges: a link at the end of the heading, which opens the list.
void choose_measure(const View& view, float width, CommandQueue& queue) {
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({after.x + content_width() - width, after.y - px(24) - ImGui::GetStyle().ItemSpacing.y + px(2)});
  if (link(std::string(tr(title_of(view.line_measure))) + "##measure", kLabel)) ImGui::OpenPopup("measure");
  const ImVec2 end = ImGui::GetItemRectMax();
  const float middle = (ImGui::GetItemRectMin().y + end.y) / 2 + px(1);
  ImGui::GetWindowDrawList()->AddTriangleFilled({end.x + px(4), middle - px(2)}, {end.x + px(12), middle - px(2)},
                                                {end.x + px(8), middle + px(3)}, look()->accent);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) {
    const MetricWords& words = metric_of(view.line_measure);
    tooltip(tr("At each line: {}", tr(words.title)), tr(words.meaning));
  }
  if (ImGui::BeginPopup("measure")) {
    for (const LineMeasure measure : kLineMeasures) {
      const std::string name = std::string(tr(title_of(measure))) + "##" + std::string(id_of(measure));
      if (ImGui::MenuItem(name.c_str(), nullptr, measure == view.line_measure)) queue.push(command::SetLineMeasure{measure});
      if (ImGui::IsItemHovered()) tooltip(tr(metric_of(measure).title), tr(metric_of(measure).meaning));
    }
    ImGui::EndPopup();
  }
  ImGui::SetCursorScreenPos(after);
}

}  // namespace

void editor_panel(const View& view, EditorPanelState& state, CommandQueue& queue) {
  if (state.focus) ImGui::SetNextWindowFocus();
  Panel panel("editor", tr("Editor"));
  state.focused = false;
  if (!panel) return;
  if (!view.exercise()) {
    panel.header(tr("Editor"));
    empty_panel(tr("There is no lab to open."));
    return;
  }
  const lab::RunResult* result = view.result();
  std::function<std::string()> figures;
  if (result && result->student()) figures = [result] { return lines_csv(*result); };
  export_menu(tr("Editor"), figures, queue);
  if (!state.editor) make_editor(state);
  TextEditor& editor = *state.editor;
  take_text(view, state);
  if (state.theme != look().theme) {
    editor.SetPalette(editor_palette(*look().theme));
    state.marked = nullptr;
  }
  mark_lines(view, state);
  state.theme = look().theme;

  if (view.lecture) {
    panel.header(view.lecture->current().file_name);
  } else {
    const float chooser = measure_width(view.line_measure);
    const float above = ImGui::GetCursorScreenPos().y;
    panel.header(view.session->file_name(), state_of_text(view, editor.GetMainCursorPosition().line), chooser + px(16));
    // A tab has no heading of its own: there the palette chooses.
    if (ImGui::GetCursorScreenPos().y > above) choose_measure(view, chooser, queue);
  }
  if (state.focus) {
    editor.SetFocus();
    state.focus = false;
  }
  if (state.point_at > 0 && static_cast<size_t>(state.point_at) <= editor.GetLineCount()) {
    const auto line = static_cast<size_t>(state.point_at - 1);
    editor.SetCursor({line, 0});
    // What is in sight is known once the text was drawn; a kernel that fits stays where it is. One that does not begins
    // without the comments above it, unless the line is too far below.
    if ((state.pointed_frames == 2 || state.pointed_frames == 3) && view.lecture) {
      const auto begin = static_cast<size_t>(kernel_line(view.lecture->current()) - 1);
      editor.ScrollToLine(std::min(begin, editor.GetLineCount() - 1), TextEditor::Scroll::alignTop);
    }
    if (state.pointed_frames >= 4 && !in_sight(editor, line)) {
      editor.ScrollToLine(line, TextEditor::Scroll::alignMiddle);
    }
    if (++state.pointed_frames >= kPointFrames) state.point_at = state.pointed_frames = 0;
  }
  if (state.go_to.line > 0) {
    const auto line = static_cast<size_t>(state.go_to.line - 1);
    editor.SetCursor({line, static_cast<size_t>(std::max(0, state.go_to.column - 1))});
    editor.ScrollToLine(line, TextEditor::Scroll::alignMiddle);
    editor.SetFocus();
    state.go_to = {};
  }

  editor.SetShowMatchingBrackets(!view.lecture);
  work_out_figures(view, state);
  LineDecorator decorator(view, state, queue);
  editor.SetLineDecorator(px(kMark), [&](TextEditor::Decorator& line) { decorator.draw(line); });
  // The text goes to the panel's edges; the heading keeps its margin.
  ImGui::SetCursorPosX(px(8));
  const ImVec2 space{ImGui::GetWindowWidth() - px(16), ImGui::GetContentRegionAvail().y};
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  // Nobody in a hall can drag them.
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize, view.lecture ? 0.0f : ImGui::GetStyle().ScrollbarSize);
  const HallCode hall = view.lecture ? hall_code(editor, decorator, space.x) : HallCode{};
  decorator.keep_apart(hall.figures);
  static struct {
    ImVec2 space{};
    float em = 0, figures = 0;
  } last;
  if (view.lecture && (space.x != last.space.x || space.y != last.space.y || hall.em != last.em || hall.figures != last.figures)) {
    // Lines are somewhere else now: the scene's is looked for again.
    last = {space, hall.em, hall.figures};
    state.point_at = line_to_show(view.lecture->current());
    state.pointed_frames = 0;
  }
  editor.SetWordWrapEnabled(view.lecture != nullptr);
  {
    ScopedFont font(look().fonts->editor, hall.em);
    editor.Render("##code", {space.x - hall.figures, space.y});
  }
  ImGui::PopStyleVar(2);
  editor.ClearLineDecorator();
  state.focused = ImGui::GetIO().WantTextInput && ImGui::IsWindowFocused(ImGuiFocusedFlags_ChildWindows);

  const bool clicked = ImGui::IsItemHovered(ImGuiHoveredFlags_None) &&
                       ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !editor.AnyCursorHasSelection();
  if (clicked) {
    queue.push(command::SelectLine{static_cast<int>(editor.GetMainCursorPosition().line) + 1});
  }
  if (state.changed) {
    state.changed = false;
    std::string text = editor.GetText();
    if (!state.texts.empty() && state.texts.back() == text) state.texts.pop_back();
    if (text != view.session->text()) queue.push(command::EditText{std::move(text), std::exchange(state.texts, {})});
  }
  state.texts.clear();
}

}  // namespace warpshop::ui
