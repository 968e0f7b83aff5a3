#include "panels/model_note.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "text/format.h"
#include "timing/generations.h"

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
  if (ImGui::BeginTable("limitations", 2, ImGuiTableFlags_None, {what + effect + px(16), 0})) {
    ImGui::TableSetupColumn("what", ImGuiTableColumnFlags_WidthFixed, what + px(16));
    ImGui::TableSetupColumn("effect", ImGuiTableColumnFlags_WidthFixed, effect);
    for (const models::Limitation& row : models::limitations_of(model)) {
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

float room_for_note() {
  return content_width() - text_size(look().fonts->regular, 12, tr(kLink)).x - px(20);
}

constexpr float kLeastRoom = 80;

// Draws the note in `height`, on two lines at least, slightly smaller if that helps, with the last
// line truncated if necessary. The tooltip and the link's table show it in full.
void note_lines(std::string_view note, ImVec2 at, float room, float height) {
  const Face& face = look().fonts->regular;
  ImDrawList* list = ImGui::GetWindowDrawList();
  float em = 12;
  const auto fit = [&] {
    return std::max<size_t>(2, static_cast<size_t>((height - px(2)) / line_height(face, em)));
  };
  std::vector<std::string> rows = wrapped_rows(face, em, note, room);
  while (em > kSmall && rows.size() > fit()) {
    em -= 0.5f;
    rows = wrapped_rows(face, em, note, room);
  }
  const bool cut = rows.size() > fit();
  while (rows.size() > fit()) {
    const std::string last = std::move(rows.back());
    rows.pop_back();
    rows.back() += " " + last;
  }
  const float line = line_height(face, em);
  const float top =
      at.y + height - px(rows.size() == 1 ? 4 : 3) - line * static_cast<float>(rows.size());
  for (size_t n = 0; n < rows.size(); ++n) {
    draw_text_cut(list, {at.x, top + line * static_cast<float>(n)}, face, em, look()->muted,
                  rows[n], room);
  }
  if (cut && ImGui::IsWindowHovered() &&
      ImGui::IsMouseHoveringRect({at.x, top}, {at.x + room, at.y + height}))
    tooltip({}, note);
}

}  // namespace

float model_note_height() { return px(32); }

float model_note_height(std::string_view note) {
  const float room = room_for_note();
  if (note.empty() || room <= px(kLeastRoom)) return model_note_height();
  const float rows = wrapped_height(look().fonts->regular, kSmall, note, room);
  return std::max(model_note_height(), rows + px(4));
}

void model_note(models::ModelName model, std::string_view note, float height) {
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float room = room_for_note();
  height = std::max(height, model_note_height());
  ImGui::SetCursorScreenPos({at.x, at.y + height - model_link_height()});
  const std::string whole = capitalized(std::string(note));
  model_link(model, whole);
  if (whole.empty() || room <= px(kLeastRoom)) return;
  note_lines(whole, at, room, height);
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
