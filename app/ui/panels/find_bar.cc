#include "panels/find_bar.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "imgui_stdlib.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

using DocPos = TextEditor::DocPos;

void search(FindBarState& state, const TextEditor& editor) {
  std::string text = editor.GetText();
  if (text == state.text && state.query == state.found_query &&
      state.options == state.found_options)
    return;
  state.text = std::move(text);
  state.found_query = state.query;
  state.found_options = state.options;
  state.found = find_all(state.text, state.query, state.options);
  state.replaced = 0;
}

std::pair<DocPos, DocPos> range_of(const FindBarState& state, size_t number) {
  const size_t begin = state.found[number];
  return {position_of(state.text, begin), position_of(state.text, begin + state.query.size())};
}

void select_found(const FindBarState& state, TextEditor& editor, size_t number) {
  const auto [begin, end] = range_of(state, number);
  editor.SetCursor(end);  // scrolls it into view
  editor.SelectRegion(begin, end);
}

// Returns the index of the selected match, or the number of matches if none is selected.
size_t selected_number(const FindBarState& state, const TextEditor& editor) {
  const TextEditor::DocSelection selection = editor.GetMainCursorSelection();
  for (size_t number = 0; number < state.found.size(); ++number) {
    const auto [begin, end] = range_of(state, number);
    if (begin == selection.start && end == selection.end) return number;
  }
  return state.found.size();
}

// Selects the first match at or after `from`, wrapping around at the end.
void select_from(const FindBarState& state, TextEditor& editor, DocPos from) {
  if (state.found.empty()) return;
  for (size_t number = 0; number < state.found.size(); ++number) {
    if (range_of(state, number).first >= from) return select_found(state, editor, number);
  }
  select_found(state, editor, 0);
}

void replace_selected(FindBarState& state, TextEditor& editor) {
  const size_t number = selected_number(state, editor);
  if (number < state.found.size()) {
    const auto [begin, end] = range_of(state, number);
    editor.ReplaceSectionText(begin, end, state.replacement);
    search(state, editor);
  }
  find_step(state, editor, 1);
}

void replace_everything(FindBarState& state, TextEditor& editor) {
  search(state, editor);
  const size_t count = state.found.size();
  if (count == 0) return;
  const std::string text =
      replace_all(state.text, state.found, state.query.size(), state.replacement);
  const size_t last = editor.GetLineCount() - 1;
  editor.ReplaceSectionText({0, 0}, {last, letters_of(editor.GetLineText(last))}, text);
  editor.SetCursor(state.anchor);
  search(state, editor);
  state.replaced = count;
}

enum class Entered { kNothing, kEnter, kBack, kAll };

// Draws a field of the bar; Esc closes the bar and keeps what was typed.
Entered field(const char* id, const char* hint, std::string& text, float width, bool& changed) {
  ImGui::SetNextItemWidth(width);
  changed = ImGui::InputTextWithHint(id, hint, &text, ImGuiInputTextFlags_AutoSelectAll);
  const bool active = ImGui::IsItemActive() || ImGui::IsItemDeactivated();
  if (!active || !enter_pressed()) return Entered::kNothing;
  const ImGuiIO& io = ImGui::GetIO();
  return io.KeyCtrl && io.KeyAlt ? Entered::kAll : io.KeyShift ? Entered::kBack : Entered::kEnter;
}

// Draws the bar's first field. ImGui focuses it only some frames after the request and drops what
// is typed until then.
Entered first_field(const char* id, const char* hint, std::string& text, float width,
                    FindBarState& state, bool& changed) {
  constexpr int kMostFrames = 5;
  if (std::exchange(state.focus, false)) {
    ImGui::SetKeyboardFocusHere();
    state.waits = kMostFrames;
  }
  ImVector<ImWchar>& typed = ImGui::GetIO().InputQueueCharacters;
  if (state.waits > 0) {
    state.early.insert(state.early.end(), typed.begin(), typed.end());
    state.early_enter |= enter_pressed();
    typed.clear();
    ImGui::GetIO().WantTextInput = true;  // N is text here, not the shortcut for the next step
    field(id, hint, text, width, changed);
    state.waits = ImGui::IsItemActive() ? 0 : state.waits - 1;
    return Entered::kNothing;
  }
  for (size_t n = state.early.size(); n > 0; --n) typed.insert(typed.begin(), state.early[n - 1]);
  state.early.clear();
  const Entered entered = field(id, hint, text, width, changed);
  return std::exchange(state.early_enter, false) ? Entered::kEnter : entered;
}

bool toggle(const std::string& label, bool& on, const char* explanation, ImVec2 size) {
  const bool pressed = button(label, on ? ButtonKind::kSelected : ButtonKind::kQuiet, size, kLabel);
  if (pressed) on = !on;
  if (ImGui::IsItemHovered()) tooltip(explanation, "");
  return pressed;
}

void line_row(FindBarState& state, TextEditor& editor) {
  bool changed = false;
  const Entered entered = first_field("##line", tr("Line"), state.line, px(90), state, changed);
  const size_t lines = editor.GetLineCount();
  size_t line = 0;
  const auto [end, error] =
      std::from_chars(state.line.data(), state.line.data() + state.line.size(), line);
  const bool good = error == std::errc() && end == state.line.data() + state.line.size() &&
                    line >= 1 && line <= lines;
  if (entered != Entered::kNothing && good) {
    editor.SetCursor({line - 1, 0});
    editor.ScrollToLine(line - 1, TextEditor::Scroll::alignMiddle);
    state.close = true;
  } else if (entered != Entered::kNothing) {
    state.focus = true;
  }
  ImGui::SameLine(0, px(10));
  ImGui::AlignTextToFramePadding();
  const bool wrong = !state.line.empty() && !good;
  label(look().fonts->regular, kLabel, wrong ? look()->poor : look()->muted,
        tr("Lines 1 to {}", lines));
}

void find_row(FindBarState& state, TextEditor& editor) {
  const bool replaces = state.mode == FindBarState::Mode::kReplace;
  const float height = ImGui::GetFrameHeight(), gap = px(6);
  const float fixed = 2 * px(56) + 2 * px(34) + px(76) + 5 * gap;  // four buttons and the count
  const float width = std::max(px(120), content_width() - fixed);
  bool changed = false;
  const Entered entered = first_field("##find", tr("Find"), state.query, width, state, changed);
  const ImVec2 beside{ImGui::GetItemRectMax().x + gap, ImGui::GetItemRectMin().y};
  // Tab goes through the fields, then the buttons.
  bool unused = false;
  const Entered replaced =
      replaces ? field("##replace", tr("Replace with"), state.replacement, width, unused)
               : Entered::kNothing;
  const ImVec2 beside_replacement{beside.x, ImGui::GetItemRectMin().y};
  ImGui::SetCursorScreenPos(beside);
  changed |=
      toggle(tr_id("Case", "case"), state.options.match_case, tr("Match case"), {px(56), height});
  ImGui::SameLine(0, gap);
  changed |= toggle(tr_id("Words", "words"), state.options.whole_word, tr("Whole words only"),
                    {px(56), height});
  search(state, editor);
  if (changed) select_from(state, editor, state.anchor);
  if (entered == Entered::kEnter || entered == Entered::kBack) {
    find_step(state, editor, entered == Entered::kBack ? -1 : 1);
    state.focus = true;  // Enter took the focus away from the field
  }

  ImGui::SameLine(0, gap);
  const size_t number = selected_number(state, editor), count = state.found.size();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const std::string found = state.query.empty()  ? ""
                            : state.replaced > 0 ? tr("{} replaced", state.replaced)
                            : count == 0         ? tr("No matches")
                            : number < count     ? tr("{} of {}", number + 1, count)
                                                 : tr("{} found", count);
  draw_text_cut(
      ImGui::GetWindowDrawList(),
      {at.x, at.y + (height - line_height(look().fonts->regular, kLabel)) / 2},
      look().fonts->regular, kLabel,
      !state.query.empty() && count == 0 && state.replaced == 0 ? look()->poor : look()->muted,
      found, px(76));
  ImGui::Dummy({px(76), height});
  ImGui::SameLine(0, gap);
  if (button("↑##previous", ButtonKind::kQuiet, {px(34), height}, kLabel))
    find_step(state, editor, -1);
  action_tooltip("find-previous");
  ImGui::SameLine(0, gap);
  if (button("↓##next", ButtonKind::kQuiet, {px(34), height}, kLabel)) find_step(state, editor, 1);
  action_tooltip("find-next");

  if (!replaces) return;
  const float half = (fixed - 3 * gap) / 2;
  ImGui::SetCursorScreenPos(beside_replacement);
  if (button(tr_id("Replace", "replace-one"), ButtonKind::kSecondary, {half, height}, kLabel) ||
      replaced == Entered::kEnter) {
    replace_selected(state, editor);
  }
  ImGui::SameLine(0, gap);
  if (button(tr_id("Replace all", "replace-all"), ButtonKind::kSecondary, {half, height}, kLabel) ||
      replaced == Entered::kAll) {
    replace_everything(state, editor);
  }
}

}  // namespace

TextEditor::DocPos position_of(const std::string& text, size_t byte) {
  const size_t end = std::min(byte, text.size());
  const auto line = static_cast<size_t>(
      std::count(text.begin(), text.begin() + static_cast<ptrdiff_t>(end), '\n'));
  const size_t start = line == 0 ? 0 : text.rfind('\n', end - 1) + 1;
  return {line, letters_of(std::string_view(text).substr(start, end - start))};
}

void open_find_bar(FindBarState& state, FindBarState::Mode mode, const TextEditor& editor) {
  state.mode = mode;
  state.focus = true;
  state.close = false;
  const TextEditor::DocSelection selection = editor.GetMainCursorSelection();
  state.anchor = selection.start;
  state.line.clear();
  state.early.clear();
  state.early_enter = false;
  // Search for the selected word.
  const std::string selected = editor.GetSectionText(selection);
  if (!selected.empty() && selected.find('\n') == std::string::npos) state.query = selected;
}

void find_step(FindBarState& state, TextEditor& editor, int by) {
  search(state, editor);
  const size_t count = state.found.size();
  if (count == 0) return;
  if (const size_t number = selected_number(state, editor); number < count) {
    return select_found(state, editor, (number + (by > 0 ? 1 : count - 1)) % count);
  }
  const DocPos caret = editor.GetMainCursorSelection().start;
  if (by > 0) return select_from(state, editor, caret);
  size_t number = count;
  while (number > 0 && range_of(state, number - 1).first >= caret) --number;
  select_found(state, editor, (number + count - 1) % count);
}

void find_bar(FindBarState& state, TextEditor& editor, bool to_code) {
  if (state.close) {
    state.close = false;
    state.mode = FindBarState::Mode::kClosed;
    if (to_code) editor.SetFocus();
  }
  if (state.mode == FindBarState::Mode::kClosed) return;
  // Before ImGui's field uses it to restore its initial text.
  if (ImGui::IsWindowFocused() && ImGui::IsKeyPressed(ImGuiKey_Escape, false)) {
    state.close = false;
    state.mode = FindBarState::Mode::kClosed;
    if (to_code) editor.SetFocus();
    return;
  }
  ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, px(8, 5));
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, px(6, 6));
  state.mode == FindBarState::Mode::kLine ? line_row(state, editor) : find_row(state, editor);
  ImGui::SameLine(0, px(6));
  ImGui::PopStyleVar(2);
  ImGui::NewLine();
}

void draw_found(const FindBarState& state, const TextEditor& editor, size_t line, ImVec2 text,
                ImVec2 glyph) {
  const bool finds =
      state.mode == FindBarState::Mode::kFind || state.mode == FindBarState::Mode::kReplace;
  if (!finds) return;
  for (size_t number = 0; number < state.found.size(); ++number) {
    const auto [begin, end] = range_of(state, number);
    if (begin.line != line) continue;
    const TextEditor::VisPos from = editor.DocPos2VisPos(begin), to = editor.DocPos2VisPos(end);
    // A position between two rows counts as the end of the upper one.
    const size_t columns = letters_of(state.query);
    const size_t first =
        from.row == to.row ? from.column : to.column - std::min(to.column, columns);
    const ImVec2 min{text.x + static_cast<float>(first) * glyph.x,
                     text.y + static_cast<float>(to.row) * glyph.y};
    ImGui::GetWindowDrawList()->AddRect(
        min, {min.x + static_cast<float>(columns) * glyph.x, min.y + glyph.y},
        with_alpha(look()->accent, 0.7f), px(3));
  }
}

}  // namespace warpshop::ui
