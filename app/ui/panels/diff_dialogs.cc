#include "panels/diff_dialogs.h"

#include <algorithm>

#include "core/text_id.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "panels/dialog_parts.h"
#include "panels/history_panel.h"
#include "text/cuda_language.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

void prepare_diff(DialogState& state) {
  if (!state.diff) {
    state.diff = std::make_unique<TextDiff>();
    state.diff->SetLanguage(cuda_language());
    state.diff->SetLineSpacing(1.3f);
    state.diff->SetShowWhitespacesEnabled(false);
  }
  if (state.diff_theme != look().theme) {
    state.diff_theme = look().theme;
    TextEditor::Palette colors = editor_palette(*look().theme);
    colors[static_cast<size_t>(TextEditor::Color::background)] = look()->raised;
    state.diff->SetPalette(colors);
    state.diff->SetColors(with_alpha(look()->good, 0.25f), with_alpha(look()->poor, 0.25f));
  }
}

void prepare_diff(const View& view, DialogState& state, const std::string& right, bool appearing) {
  prepare_diff(state);
  if (!appearing) return;
  state.diff->SetSideBySideMode(ImGui::GetMainViewport()->Size.x > px(1100));
  state.diff->SetText(view.session->text(), right);
  state.diff_of.clear();
}

void diff(DialogState& state, float height) {
  ScopedFont font(look().fonts->code, kLabel);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  state.diff->Render("##diff", {0, height});
  ImGui::PopStyleVar();
}

// Lists every counter that the solution changes: the student's value, the solution's, and their
// ratio.
void solution_effect(const View& view) {
  const lab::KernelRun* mine = view.result() ? view.result()->student() : nullptr;
  const lab::KernelRun* theirs = view.solution ? view.solution->result.student() : nullptr;
  const Fonts& f = *look().fonts;
  if (!mine || !mine->completed || view.stale) {
    paragraph(f.regular, kLabel, look()->muted,
              tr("Run your text to see what the solution changes in each counter."));
    return;
  }
  if (!theirs || !theirs->completed) {
    paragraph(f.regular, kLabel, look()->muted, tr("The solution is being run…"));
    return;
  }
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = std::min(content_width(), px(720)), row = px(20);
  const auto columns = [&](std::string_view name, const std::string& a, const std::string& b,
                           const std::string& change, const std::string& ratio, ImU32 color) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text_cut(list, at, f.regular, kLabel, color, name, width * 0.42f);
    draw_text(list, {at.x + width * 0.57f, at.y}, f.regular, kLabel, color, a, Align::kRight);
    draw_text(list, {at.x + width * 0.72f, at.y}, f.medium, kLabel, color, b, Align::kRight);
    draw_text(list, {at.x + width * 0.88f, at.y}, f.regular, kLabel, color, change, Align::kRight);
    draw_text(list, {at.x + width, at.y}, f.regular, kLabel, look()->muted, ratio, Align::kRight);
    ImGui::Dummy({width, row});
  };
  columns(tr("Counter"), tr("yours"), tr("solution"), tr("change"), "", look()->muted);
  bool any = false;
  for (const timing::CounterInfo& info : timing::counter_table()) {
    const uint64_t a = mine->counters.*info.field, b = theirs->counters.*info.field;
    if (a == b) continue;
    any = true;
    const std::string ratio =
        a == 0 || b == 0 ? "" : ratio_text(static_cast<double>(b) / static_cast<double>(a));
    const std::string change =
        b > a ? "+" + with_separators(b - a) : "\u2212" + with_separators(a - b);
    const std::string title = counter_title(info.name), unit = std::string(info.unit) + "s";
    columns(tr(title), with_separators(a), with_separators(b), change, ratio, look()->text);
    metric_tooltip(
        {title, info.meaning, unit, counter_formula(info), info.nsight, counter_term(info)});
  }
  if (!any) paragraph(f.regular, kLabel, look()->muted, tr("Every counter is the same as yours."));
}

std::string version_name(const View& view, const std::string& id) {
  if (id.empty()) return tr("The text in the editor");
  const RunRecord* run = view.history->find(id);
  if (!run) return tr("Version {}", id);
  const bool pinned = view.history->baseline() == run;
  return tr("Version {}", id) + " · " + time_text(run->at) +
         (pinned ? " · " + std::string(tr("baseline")) : "");
}

void version_choice(const View& view, const char* id, std::string& chosen, float width) {
  ImGui::SetNextItemWidth(width);
  if (!ImGui::BeginCombo(id, version_name(view, chosen).c_str(), ImGuiComboFlags_HeightLarge))
    return;
  if (ImGui::Selectable(version_name(view, "").c_str(), chosen.empty())) chosen.clear();
  const std::vector<RunRecord>& runs = view.history->runs();
  for (size_t n = runs.size(); n-- > 0;) {
    if (ImGui::Selectable(version_name(view, runs[n].id).c_str(), runs[n].id == chosen))
      chosen = runs[n].id;
  }
  ImGui::EndCombo();
}

std::string text_of_version(const View& view, const std::string& id) {
  if (id.empty()) return view.session->text();
  const RunRecord* run = view.history->find(id);
  if (!run) return "";
  const Result<std::string> text = view.history->text_of(*run);
  return text.ok() ? *text : render(text.errors());
}

}  // namespace

void solution_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  const lab::Exercise& exercise = *view.exercise();
  prepare_diff(view, state, exercise.solution, appearing);
  dialog_heading(tr("Your text beside the solution"));
  paragraph(look().fonts->regular, kLabel, look()->muted,
            tr("Your text is kept. Orange is yours alone, blue is the solution's."));
  const float note_height = std::min(px(230), ImGui::GetMainViewport()->Size.y * 0.3f);
  diff(state, std::max(px(160), ImGui::GetMainViewport()->Size.y * 0.86f - px(200) - note_height));
  gap(4);
  ImGui::BeginChild("note", {0, note_height});
  solution_effect(view);
  gap(6);
  if (!exercise.solution_note.empty()) {
    state.note.folder = view.session->lab()->folder;
    markdown(state.note, exercise.solution_note, [](const std::string&) {});
  }
  ImGui::EndChild();
  dialog_choices({{tr_id("Back to my text", "back"), ButtonKind::kPrimary, command::CloseDialog{}},
                  {tr_id("Put the solution into the editor", "take"), ButtonKind::kSecondary,
                   command::TakeSolution{}}},
                 queue);
}

void conflict_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  prepare_diff(view, state, view.session->theirs(), appearing);
  dialog_heading(tr("The file was changed by another program"));
  dialog_prose(
      tr("You have unsaved edits here. Which text do you want to keep working on? The other one is "
         "kept in the history."));
  paragraph(look().fonts->regular, kLabel, look()->muted,
            tr("Left: yours, in the editor. Right: the file on the disk."));
  diff(state, std::max(px(160), ImGui::GetMainViewport()->Size.y * 0.55f));
  dialog_choices(
      {{tr_id("Keep mine", "mine"), ButtonKind::kPrimary, command::ResolveConflict{true}},
       {tr_id("Take the file", "theirs"), ButtonKind::kSecondary, command::ResolveConflict{false}}},
      queue);
}

void changes_dialog(const View& view, DialogState& state, bool appearing, CommandQueue& queue) {
  const std::string left = text_of_version(view, state.left),
                    right = text_of_version(view, state.right);
  const std::string shown = text_id(left) + " " + text_id(right);
  prepare_diff(state);
  if (appearing || state.diff_of != shown) {
    state.diff_of = shown;
    state.diff->SetSideBySideMode(ImGui::GetMainViewport()->Size.x > px(1100));
    state.diff->SetText(left, right);
  }
  dialog_heading(tr("Changes between two versions"));
  const float half = (content_width() - px(12)) / 2;
  const bool beside = half > px(220);
  version_choice(view, "##left", state.left, beside ? half : content_width());
  if (beside) ImGui::SameLine(0, px(12));
  version_choice(view, "##right", state.right, beside ? half : content_width());
  if (left == right) {
    paragraph(look().fonts->regular, kLabel, look()->muted,
              tr("These two are the same, letter by letter."));
  } else {
    paragraph(look().fonts->regular, kLabel, look()->muted,
              tr("Orange is the first alone, blue is the second alone."));
  }
  diff(state, std::max(px(120), ImGui::GetMainViewport()->Size.y * 0.84f - px(210)));
  std::vector<DialogChoice> all = {
      {tr_id("Close", "close"), ButtonKind::kPrimary, command::CloseDialog{}}};
  if (!state.left.empty()) {
    all.push_back({tr_id("Open the first in the editor", "take-version"), ButtonKind::kSecondary,
                   command::TakeVersion{state.left}});
    const RunRecord* baseline = view.history->baseline();
    if (!baseline || baseline->id != state.left) {
      all.push_back({tr_id("Pin the first as the baseline", "pin-version"), ButtonKind::kSecondary,
                     command::PinBaseline{state.left}});
    }
  }
  dialog_choices(all, queue);
}

}  // namespace warpshop::ui
