#include "panels/editor_panel.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <functional>
#include <utility>

#include "core/files.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "lab/findings.h"
#include "maps/csv_tables.h"
#include "maps/line_origins.h"
#include "panels/export_menu.h"
#include "panels/word_tooltip.h"
#include "text/completion.h"
#include "text/cuda_language.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

constexpr int kPointFrames = 7;

// Replays the changes of earlier sessions, so that the editor can undo them.
void take_history(const UndoJournal& undo, const std::string& wanted, TextEditor& editor) {
  std::string text = undo.base();
  editor.SetText(text);
  for (const TextChange& change : undo.changes()) {
    editor.ReplaceSectionText(position_of(text, change.at),
                              position_of(text, change.at + change.removed.size()),
                              change.inserted);
    text.replace(change.at, change.removed.size(), change.inserted);
  }
  for (size_t n = undo.changes().size(); n > undo.place(); --n) editor.Undo();
  if (editor.GetText() != wanted) editor.SetText(wanted);
  editor.SetCursor({0, 0});
}

// Uses the file's own indentation as far as its lines reveal it; otherwise two spaces, as in all
// shipped kernels.
void use_indentation(const std::string& text, TextEditor& editor) {
  size_t spaces = 0;
  bool tabs = false;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const size_t first = std::min(text.find_first_not_of(' ', at), end);
    tabs |= text[at] == '\t';
    // A line aligned with an open bracket above it says nothing about the indentation step.
    const size_t in = first - at;
    if (first < end && (in == 2 || in == 4) && (spaces == 0 || in < spaces)) spaces = in;
    at = end + 1;
  }
  editor.SetInsertSpacesOnTabs(!tabs);
  editor.SetTabSize(tabs ? 4 : spaces > 0 ? spaces : 2);
}

void take_text(const View& view, EditorPanelState& state) {
  // In a lecture, undo must not turn a scene's kernel into that of the previous scene.
  const std::string key =
      view.session->place() + (view.lecture ? "#" + std::to_string(view.lecture->scene) : "");
  TextEditor& editor = *state.editor;
  if (state.shown != key) {
    state.shown = key;
    use_indentation(view.session->text(), editor);
    if (view.lecture) {
      state.find.mode = FindBarState::Mode::kClosed;  // it was about the scene before
      editor.SetText(view.session->text());
    } else {
      take_history(view.session->undo(), view.session->text(), editor);
    }
    state.to_top = true;
    if (state.left && !view.lecture) {
      editor.SetCursor({state.left->line, state.left->column});
      state.left_frames = kPointFrames;
    }
    state.steps.clear();
    state.undo_index = editor.GetUndoIndex();
    state.changed = false;
    editor.ClearMarkers();
    state.grounds.clear();
    state.marked_line = -1;
    state.marked_line = 0;
  } else if (state.revision != view.text_revision && editor.GetText() != view.session->text()) {
    // New text for the same file: a single change that can be undone.
    const TextEditor::DocPos cursor = editor.GetMainCursorPosition();
    const size_t last = editor.GetLineCount() - 1;
    editor.ReplaceSectionText({0, 0}, {last, letters_of(editor.GetLineText(last))},
                              view.session->text());
    editor.SetCursor({std::min(cursor.line, editor.GetLineCount() - 1), cursor.index});
    state.changed = false;
  }
  state.revision = view.text_revision;
}

void suggest_completions(TextEditor& editor) {
  TextEditor::AutoCompleteConfig config;
  config.triggerDelay = std::chrono::milliseconds(120);
  config.noSuggestionsLabel = tr("No suggestions");
  config.callback = [&editor](TextEditor::AutoCompleteState& state) {
    state.suggestions = completions(editor.GetText(), state.searchTerm);
  };
  editor.SetAutoCompleteConfig(&config);
}

void make_editor(EditorPanelState& state) {
  state.editor = std::make_unique<TextEditor>();
  TextEditor& editor = *state.editor;
  editor.SetLanguage(cuda_language());
  editor.SetShowWhitespacesEnabled(false);
  editor.SetShowMatchingBrackets(true);
  editor.SetCompletePairedGlyphs(true);
  editor.SetShowScrollbarMiniMapEnabled(false);
  editor.SetFindReplaceEnabled(false);
  editor.SetLineSpacing(kEditorLine);
  suggest_completions(editor);
  // Wrap long lines between words only, not after brackets.
  TextEditor::LineBreakConfig breaks;
  breaks.breakAfter = " ";
  breaks.breakBefore.clear();
  editor.SetLineBreakConfig(breaks);
  editor.SetChangeCallback([&state] { state.changed = true; });
  // One frame may bring several changes, each undone separately.
  editor.SetTransactionCallback([&state](const std::vector<TextEditor::Change>&) {
    // A change without an undo step of its own was merged into the previous one.
    const size_t index = state.editor->GetUndoIndex();
    state.steps.push_back(
        {state.editor->GetText(), index == std::exchange(state.undo_index, index)});
  });
}

// Maps the current lines to those of the text that ran, so that marks move with their lines.
void follow_lines(const View& view, EditorPanelState& state) {
  const std::string& text = view.session->text();
  EditorPanelState::OriginsOf of{view.prepared, view.latest, text};
  if (state.origins_of == of) return;
  state.shown_origins =
      view.prepared ? line_origins(view.prepared->result.source, text) : std::vector<int>{};
  state.newest_origins =
      view.latest ? line_origins(view.latest->result.source, text) : std::vector<int>{};
  state.origins_of = std::move(of);
  state.marked_line = -1;
}

// Returns the editor's line, from 1, that originated from `line`; 0 if it is gone.
int line_from(const std::vector<int>& origins, int line) {
  const auto found = line > 0 ? std::find(origins.begin(), origins.end(), line) : origins.end();
  return found == origins.end() ? 0 : static_cast<int>(found - origins.begin()) + 1;
}

void mark_lines(const View& view, EditorPanelState& state) {
  const AccessEntry* entry = view.access();
  const int film_line = view.film_line();
  // In a lecture, the script names the line before its cost may be seen.
  const int of_scene = view.lecture ? view.lecture->current().line : 0;
  const int line = film_line > 0 ? film_line : entry ? entry->line : of_scene;
  const bool stale = view.latest_stale || view.stale;
  if (state.marked == view.latest && state.marked_line == line && state.marked_stale == stale &&
      state.theme == look().theme) {
    return;
  }
  state.marked = view.latest;
  state.marked_line = line;
  state.marked_stale = stale;
  TextEditor& editor = *state.editor;
  editor.ClearMarkers();
  const Theme& t = *look().theme;
  std::map<int, ImU32>& grounds = state.grounds;
  grounds.clear();
  const int here = film_line == 0 && !entry ? line : line_from(state.shown_origins, line);
  if (here > 0) {
    const bool access = entry && entry->line == line;
    const ImU32 color = !access ? t.accent : entry->waste() > 0 ? t.poor : t.good;
    grounds[here] = with_alpha(color, (t.dark ? 0.16f : 0.14f) * (view.stale ? 0.5f : 1));
  }
  if (view.latest) {
    for (const auto& [at, note] : notes_of(view.latest->result)) {
      const int wrong = line_from(state.newest_origins, at);
      if (note.error && wrong > 0)
        grounds[wrong] =
            with_alpha(t.poor, (t.dark ? 0.20f : 0.16f) * (view.latest_stale ? 0.5f : 1));
    }
  }
  const auto lines = static_cast<int>(editor.GetLineCount());
  for (const auto& [at, color] : grounds) {
    if (at <= lines) editor.AddMarker(static_cast<size_t>(at - 1), 0, color, "", "");
  }
}

// Recomputes the lines' figures when what is shown changes rather than in every frame, since it
// goes through all of the run's counters or timelines.
void work_out_figures(const View& view, EditorPanelState& state) {
  const PreparedResult* prepared = view.prepared ? view.prepared : view.behind_curtain;
  EditorPanelState::FiguresOf of{prepared, measure_of(view), language().id};
  if (state.figures_of == of) return;
  state.figures =
      prepared ? line_figures(prepared->result, of.measure) : std::map<int, LineFigure>{};
  state.figures_of = std::move(of);
}

void make_gesture(Gesture gesture, EditorPanelState& state) {
  TextEditor& editor = *state.editor;
  using Mode = FindBarState::Mode;
  switch (gesture) {
    case Gesture::kUndo:
      editor.Undo();
      break;
    case Gesture::kRedo:
      editor.Redo();
      break;
    case Gesture::kCut:
      editor.Cut();
      break;
    case Gesture::kCopy:
      editor.Copy();
      break;
    case Gesture::kPaste:
      editor.Paste();
      break;
    case Gesture::kFind:
      open_find_bar(state.find, Mode::kFind, editor);
      return;
    case Gesture::kReplace:
      open_find_bar(state.find, Mode::kReplace, editor);
      return;
    case Gesture::kGoToLine:
      open_find_bar(state.find, Mode::kLine, editor);
      return;
    case Gesture::kFindNext:
      find_step(state.find, editor, 1);
      break;
    case Gesture::kFindPrevious:
      find_step(state.find, editor, -1);
      break;
    case Gesture::kComment:
      editor.ToggleComments();
      break;
    case Gesture::kIndent:
      editor.IndentLines();
      break;
    case Gesture::kOutdent:
      editor.DeindentLines();
      break;
    case Gesture::kMoveUp:
      editor.MoveUpLines();
      break;
    case Gesture::kMoveDown:
      editor.MoveDownLines();
      break;
    case Gesture::kDuplicate:
      editor.DuplicateLines();
      break;
    case Gesture::kRemoveLines:
      editor.RemoveSelectedLines();
      break;
    case Gesture::kCaretAbove:
      editor.AddCursorAbove();
      break;
    case Gesture::kCaretBelow:
      editor.AddCursorBelow();
      break;
    case Gesture::kNextOccurrence:
      editor.AddNextOccurrence();
      break;
    case Gesture::kAllOccurrences:
      editor.SelectAllOccurrences();
      break;
    case Gesture::kMatchingBracket:
      editor.JumpToMatchingBracket();
      break;
  }
  // If it was chosen from the palette, return the focus to the editor.
  if (!state.focused) editor.SetFocus();
}

// True if the code itself has the focus, not a field above it.
bool code_is_focused() {
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  return focused && focused->ParentWindow == ImGui::GetCurrentWindow() &&
         std::strstr(focused->Name, "##code") != nullptr;
}

// True if all rows of a line are visible. GetLastVisibleRow() is one past the last row in view,
// which may itself be cut off.
bool in_sight(const TextEditor& editor, size_t line) {
  const size_t first = editor.DocPos2VisPos({line, 0}).row,
               last = editor.DocPos2VisPos({line, SIZE_MAX}).row;
  return first >= editor.GetFirstVisibleRow() && last + 1 < editor.GetLastVisibleRow();
}

// True if the editor itself has something for Esc to close.
bool has_use_for_escape(const TextEditor& editor) {
  return editor.GetNumberOfCursors() > 1 || !ImGui::GetCurrentContext()->OpenPopupStack.empty();
}

std::string state_of_text(const View& view, size_t line) {
  const char* state = view.session->dirty()     ? tr("edited")
                      : view.session->on_disk() ? tr("saved")
                                                : tr("new");
  return tr("{} · line {}", state, line + 1);
}

float measure_width(LineMeasure measure) {
  return text_size(look().fonts->regular, kLabel, tr(title_of(measure))).x + px(14);
}

// State of a kernel edited during a lecture: whether its result is correct, as far as is known.
struct EditState {
  std::string words;
  ImU32 color;
};
EditState state_of_edit(const View& view) {
  const PreparedResult* run = view.latest ? view.latest : view.behind_curtain;
  if (!run || run->result.source != view.session->text()) return {tr("edited"), look()->text};
  const std::vector<lab::SizeResult>& sizes = run->result.sizes;
  if (sizes.empty()) return {tr("edited, does not run"), look()->poor};
  using emulator::FindingKind;
  if (lab::find_finding(sizes, FindingKind::kTimeout))
    return {tr("edited, does not end"), look()->poor};
  if (const emulator::Finding* race = lab::find_finding(sizes, FindingKind::kRace))
    return {tr("edited, race in line {}", race->place.line), look()->poor};
  const bool correct = std::all_of(sizes.begin(), sizes.end(),
                                   [](const lab::SizeResult& size) { return size.correct; });
  return correct ? EditState{tr("edited, result correct"), look()->good}
                 : EditState{tr("edited, result wrong"), look()->poor};
}

// Draws the file's name, the state of an edit, and the link that restores the scene's kernel.
void lecture_heading(const View& view, Panel& panel, CommandQueue& queue) {
  constexpr const char* kName = "kernel.cu";  // the file's may be the answer: "diagonal.cu"
  const char* leave = code_is_focused() ? tr("Esc: leave") : "";
  if (!view.lecture->edited()) {
    panel.header(kName, leave);
    return;
  }
  const EditState edit = state_of_edit(view);
  const Face &words = look().fonts->medium, &restore = look().fonts->regular;
  const float right = text_size(restore, kLabel, tr("Restore")).x, gap = px(16);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float end = at.x + content_width() - right - gap;
  panel.header(kName, leave, right + text_size(words, kLabel, edit.words).x + 2 * gap);
  const ImVec2 after = ImGui::GetCursorScreenPos();
  draw_text(ImGui::GetWindowDrawList(), {end, at.y + (px(24) - line_height(words, kLabel)) / 2},
            words, kLabel, edit.color, edit.words, Align::kRight);
  ImGui::SetCursorScreenPos(
      {end + gap, at.y + (px(24) - line_height(restore, kLabel)) / 2 - px(3)});
  if (link(tr_id("Restore", "restore"), kLabel)) queue.push(command::RestoreKernel{});
  action_tooltip("restore-kernel");
  ImGui::SetCursorScreenPos(after);
}

// Draws a link at the end of the heading that opens the list of measures for the lines' right
// edges.
void choose_measure(const View& view, float width, CommandQueue& queue) {
  const ImVec2 after = ImGui::GetCursorScreenPos();
  ImGui::SetCursorScreenPos({after.x + content_width() - width,
                             after.y - px(24) - ImGui::GetStyle().ItemSpacing.y + px(2)});
  if (link(std::string(tr(title_of(view.line_measure))) + "##measure", kLabel))
    ImGui::OpenPopup("measure");
  const ImVec2 end = ImGui::GetItemRectMax();
  const float middle = (ImGui::GetItemRectMin().y + end.y) / 2 + px(1);
  ImGui::GetWindowDrawList()->AddTriangleFilled({end.x + px(4), middle - px(2)},
                                                {end.x + px(12), middle - px(2)},
                                                {end.x + px(8), middle + px(3)}, look()->accent);
  if (ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) {
    const MetricWords& words = metric_of(view.line_measure, counted_by_chip(view));
    tooltip(tr("At each line: {}", tr(words.title)), tr(words.meaning));
  }
  if (ImGui::BeginPopup("measure")) {
    for (const LineMeasure measure : kLineMeasures) {
      const std::string name =
          std::string(tr(title_of(measure))) + "##" + std::string(id_of(measure));
      if (ImGui::MenuItem(name.c_str(), nullptr, measure == view.line_measure))
        queue.push(command::SetLineMeasure{measure});
      if (ImGui::IsItemHovered())
        tooltip(tr(metric_of(measure, counted_by_chip(view)).title),
                tr(metric_of(measure, counted_by_chip(view)).meaning));
    }
    ImGui::EndPopup();
  }
  ImGui::SetCursorScreenPos(after);
}

}  // namespace

int EditorPanelState::result_line() const {
  const size_t line = editor ? editor->GetMainCursorPosition().line : 0;
  return line < shown_origins.size() ? shown_origins[line] : 0;
}

EditorPanelState::Left EditorPanelState::place() const {
  if (!editor) return {};
  const TextEditor::DocPos caret = editor->GetMainCursorPosition();
  return {caret.line, caret.index, editor->VisPos2DocPos({editor->GetFirstVisibleRow(), 0}).line};
}

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
    state.marked_line = -1;
  }
  follow_lines(view, state);
  mark_lines(view, state);
  state.theme = look().theme;

  if (view.lecture) {
    lecture_heading(view, panel, queue);
  } else {
    const float chooser = measure_width(view.line_measure);
    const float above = ImGui::GetCursorScreenPos().y;
    panel.header(view.session->file_name(),
                 state_of_text(view, editor.GetMainCursorPosition().line), chooser + px(16));
    // A tab has no heading of its own; use the palette there.
    if (!panel.tabbed() && ImGui::GetCursorScreenPos().y > above)
      choose_measure(view, chooser, queue);
  }
  // A click on the tab or beside the code focuses the code.
  const bool has_focus = ImGui::IsWindowFocused();
  const bool clicked =
      has_focus && !state.has_focus &&
      (ImGui::IsMouseDown(ImGuiMouseButton_Left) || ImGui::IsMouseReleased(ImGuiMouseButton_Left));
  state.has_focus = has_focus;
  if (state.focus || (clicked && !view.lecture)) {
    editor.SetFocus();
    state.focus = false;
  }
  // While somebody types, do not move the caret.
  if (view.lecture && code_is_focused()) state.point_at = state.pointed_frames = 0;
  if (state.point_at > 0 && static_cast<size_t>(state.point_at) <= editor.GetLineCount()) {
    const auto line = static_cast<size_t>(state.point_at - 1);
    // Moving the cursor scrolls as far as it must to show it, so that comes first.
    if (state.pointed_frames < 2) editor.SetCursor({line, 0});
    // The visible range is known only after the text was drawn. A kernel that does not fit starts
    // without the comments above it.
    if (state.pointed_frames >= 2 && view.lecture) {
      const auto begin = std::min(static_cast<size_t>(kernel_line(view.lecture->current()) - 1),
                                  editor.GetLineCount() - 1);
      editor.ScrollToLine(hall_top_line(editor, begin, line, state.hall_rows),
                          TextEditor::Scroll::alignTop);
    } else if (state.pointed_frames >= 4 && !in_sight(editor, line)) {
      editor.ScrollToLine(line, TextEditor::Scroll::alignMiddle);
    }
    if (++state.pointed_frames >= kPointFrames) state.point_at = state.pointed_frames = 0;
  }
  if (state.left_frames > 0) {
    editor.ScrollToLine(std::min(state.left->top, editor.GetLineCount() - 1),
                        TextEditor::Scroll::alignTop);
    if (--state.left_frames == 0) state.left.reset();
  }
  if (state.go_to.line > 0) {
    // Where that line of the newest result is now.
    const int here = line_from(state.newest_origins, state.go_to.line);
    const auto line = static_cast<size_t>((here > 0 ? here : state.go_to.line) - 1);
    editor.SetCursor({line, static_cast<size_t>(std::max(0, state.go_to.column - 1))});
    editor.ScrollToLine(line, TextEditor::Scroll::alignMiddle);
    editor.SetFocus();
    state.go_to = {};
  }

  for (const Gesture gesture : std::exchange(state.gestures, {})) make_gesture(gesture, state);
  // The code extends to the panel's edges; the heading keeps its margin.
  find_bar(state.find, editor, view.lecture == nullptr);
  editor.SetShowMatchingBrackets(!view.lecture);
  work_out_figures(view, state);
  LineColumn column(view, state, queue);
  editor.SetLineDecorator(px(kLineMark), [&](TextEditor::Decorator& line) {
    column.draw(line);
    state.row_height = line.glyphSize.y;
    draw_found(state.find, editor, line.line, column.text_origin(line), line.glyphSize);
  });
  if (!view.lecture) {
    // Between the heading and the first line.
    const float head = px(12);
    ImVec2 at = ImGui::GetCursorScreenPos();
    if (!panel.tabbed()) at.y -= ImGui::GetStyle().ItemSpacing.y;
    column.draw_heads({ImGui::GetWindowPos().x + ImGui::GetWindowWidth() - px(8), at.y + head});
    ImGui::SetCursorScreenPos({at.x, at.y + head});
  }
  ImGui::SetCursorPosX(px(8));
  ImVec2 space{ImGui::GetWindowWidth() - px(16), ImGui::GetContentRegionAvail().y};
  const ImVec2 whole = space;  // the size of the code follows from it, not from what it leaves
  if (view.lecture && state.row_height > 0) {  // do not cut a row in half
    state.hall_rows = std::max<size_t>(1, static_cast<size_t>(space.y / state.row_height));
    // Scrolling is in whole pixels, so up to one pixel above the first row may show.
    space.y = std::ceil(static_cast<float>(state.hall_rows) * state.row_height) + 1;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  // Nobody in an audience can drag a scroll bar.
  ImGui::PushStyleVar(ImGuiStyleVar_ScrollbarSize,
                      view.lecture ? 0.0f : ImGui::GetStyle().ScrollbarSize);
  const auto index = [&](int line) {
    return std::min(static_cast<size_t>(line - 1), editor.GetLineCount() - 1);
  };
  const LectureCodeSize hall =
      view.lecture
          ? lecture_code_size(editor, column, whole, index(kernel_line(view.lecture->current())),
                              index(line_to_show(view.lecture->current())))
          : LectureCodeSize{kBody, column.room()};
  column.keep_apart(hall.figures);
  if (view.lecture &&
      (space.x != state.hall_space.x || space.y != state.hall_space.y || hall != state.hall)) {
    // Lines have moved: look for the scene's line again.
    state.hall_space = space;
    state.hall = hall;
    state.point_at = line_to_show(view.lecture->current());
    state.pointed_frames = 0;
  }
  const bool escape_is_its_own = has_use_for_escape(editor);
  editor.SetWordWrapEnabled(view.lecture || view.settings->wrap);
  {
    ScopedFont font(look().fonts->editor, hall.em);
    // The text of another step starts at its first line, even after a page that replaced the
    // editor.
    if (std::exchange(state.to_top, false)) ImGui::SetNextWindowScroll({0, 0});
    editor.Render("##code", {space.x - hall.figures, space.y});
  }
  ImGui::PopStyleVar(2);
  editor.ClearLineDecorator();
  state.focused = ImGui::GetIO().WantTextInput && code_is_focused();
  // Esc closes what the editor has opened (additional cursors, suggestions); ImGui would take the
  // focus away instead.
  if (state.focused) ImGui::SetKeyOwner(ImGuiKey_Escape, ImGui::GetID("##code"));
  if (state.focused && view.lecture) {
    if (ImGui::IsKeyPressed(ImGuiKey_Escape) && !escape_is_its_own)
      queue.push(command::LeaveLecture{});
    // Show the audience and the lecturer where key presses go.
    const ImVec2 min = ImGui::GetWindowPos(), size = ImGui::GetWindowSize();
    const float inset = px(1);
    ImGui::GetWindowDrawList()->AddRect({min.x + inset, min.y + inset},
                                        {min.x + size.x - inset, min.y + size.y - inset},
                                        look()->accent, px(8), px(2));
  }

  if (ImGui::IsItemHovered(ImGuiHoveredFlags_None)) {
    if (ImGui::IsMouseReleased(ImGuiMouseButton_Left) && !editor.AnyCursorHasSelection()) {
      if (const int line = state.result_line(); line > 0) queue.push(command::SelectLine{line});
    }
    if (!view.lecture) word_tooltip(view, state);
  }
  if (state.changed) {
    state.changed = false;
    std::string text = editor.GetText();
    if (text != view.session->text())
      queue.push(command::EditText{std::move(text), std::exchange(state.steps, {})});
  }
  state.steps.clear();
}

}  // namespace warpshop::ui
