#include "panels/model_note.h"

#include <algorithm>
#include <string>

#include "draw/widgets.h"
#include "text/format.h"
#include "timing/predict.h"

namespace warpshop::ui {
namespace {

constexpr const char* kLink = tr_later("What this model leaves out");

void table(models::ModelName model, const std::string& note) {
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  const float what = px(190), effect = px(300);
  label(f.medium, 15, t.text, tr("{}: what the model leaves out", tr(models::title_of(model))));
  if (!note.empty()) {
    gap(2);
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + what + effect + px(16));
    label(f.regular, kLabel, t.body, note);
    ImGui::PopTextWrapPos();
  }
  gap(6);
  ImGui::PushStyleVar(ImGuiStyleVar_CellPadding, px(0, 5));
  if (ImGui::BeginTable("left_out", 2, ImGuiTableFlags_None, {what + effect + px(16), 0})) {
    ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthFixed, what + px(16));
    ImGui::TableSetupColumn("effect", ImGuiTableColumnFlags_WidthFixed, effect);
    for (const models::LeftOut& row : models::left_out(model)) {
      ImGui::TableNextRow();
      ImGui::TableNextColumn();
      ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + what);
      label(f.regular, kLabel, t.text, tr(row.what));
      ImGui::PopTextWrapPos();
      ImGui::TableNextColumn();
      ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + effect);
      label(f.regular, kLabel, t.body, tr(row.effect));
      ImGui::PopTextWrapPos();
    }
    ImGui::EndTable();
  }
  ImGui::PopStyleVar();
  gap(2);
  label(f.regular, 12, t.muted, tr("Sources, proofs and errors: docs/models.md"));
}

// Draws the note on at most two lines, slightly smaller if that helps, with the second truncated if
// necessary. The tooltip and the link's table show it in full.
void note_lines(std::string_view note, ImVec2 at, float room) {
  const Face& face = look().fonts->regular;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float em = 12;
  const bool one = text_size(face, em, note).x <= room;
  while (em > kSmall && wrapped_height(face, em, note, room) > 2.5f * line_height(face, em))
    em -= 0.5f;
  const float line = line_height(face, em);
  if (one) {
    draw_text(list, {at.x, at.y + model_note_height() - px(4) - line}, face, em, look()->muted,
              note);
    return;
  }
  const ScopedFont font(face, em);
  const char* begin = note.data();
  const char* end = begin + note.size();
  const char* wrap = face.font->CalcWordWrapPosition(ImGui::GetFontSize(), begin, end, room);
  const float top = at.y + model_note_height() - px(3) - 2 * line;
  draw_text(list, {at.x, top}, face, em, look()->muted, {begin, static_cast<size_t>(wrap - begin)});
  while (wrap < end && *wrap == ' ') ++wrap;
  const std::string_view rest{wrap, static_cast<size_t>(end - wrap)};
  draw_text_cut(list, {at.x, top + line}, face, em, look()->muted, rest, room);
  const bool cut = text_size(face, em, rest).x > room;
  if (cut && ImGui::IsWindowHovered() &&
      ImGui::IsMouseHoveringRect({at.x, top}, {at.x + room, top + 2 * line}))
    tooltip({}, note);
}

}  // namespace

float model_note_height() { return px(32); }

void model_note(models::ModelName model, std::string_view note) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = content_width() - text_size(look().fonts->regular, 12, tr(kLink)).x - px(20);
  ImGui::SetCursorScreenPos({at.x, at.y + model_note_height() - model_link_height()});
  const std::string whole = capitalized(std::string(note));
  model_link(model, whole);
  if (whole.empty() || room <= px(80)) return;
  note_lines(whole, at, room);
}

float model_link_height() { return px(24); }

float model_link_width() { return text_size(look().fonts->regular, 12, tr(kLink)).x; }

void model_link(models::ModelName model, const std::string& note) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float left =
      std::max(0.0f, content_width() - text_size(look().fonts->regular, 12, tr(kLink)).x);
  ImGui::SetCursorScreenPos({at.x + left, at.y});
  if (link(tr(kLink), 12)) ImGui::OpenPopup("model");
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(16, 14));
  if (begin_popup_beside("model", min, max)) {
    table(model, note);
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

models::ModelName time_model(const View& view) {
  return timing::has_machine_code(view.result()->gpu) ? models::ModelName::kTimeModel
                                                      : models::ModelName::kOldTimeModel;
}

std::string why_not_predicted(const View& view) {
  if (!view.result() || view.result()->prediction_problems.empty()) return "";
  const models::GpuProfile& gpu = view.result()->gpu;
  // The diagnostic lists every missing number, which matters only to authors of profiles.
  if (!gpu.launch_us)
    return tr("No time is predicted for {}: its latencies and rates are not known.", gpu.name);
  return capitalized(tr(view.result()->prediction_problems.front().message)) + ".";
}

void say_why_not(const View& view, std::string_view before) {
  if (!view.exercise()) return empty_panel(tr("Nothing runs in this step."));
  if (view.did_not_compile() && !view.prepared)
    return empty_panel(tr("The kernel has not run: see Findings."));
  if (!view.result()) return empty_panel(before);
  const std::string why = why_not_predicted(view);
  if (!why.empty()) return empty_panel(why);
  empty_panel(view.running || view.predicting ? tr("An SM is being simulated…")
                                              : tr("No time was predicted for this run."));
}

}  // namespace warpshop::ui
