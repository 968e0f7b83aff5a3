#include "panels/number_field.h"

#include <algorithm>
#include <utility>

#include "draw/widgets.h"
#include "imgui_stdlib.h"
#include "text/text.h"
#include "text/typed_number.h"

namespace warpshop::ui {

std::optional<double> number_field(const std::string& id, std::string_view unit, bool positive,
                                   const std::optional<double>& given, NumberFieldState& state) {
  const Fonts& f = *look().fonts;
  // Opened again, the field shows what was answered.
  if (given && state.text.empty() && !ImGui::GetIO().WantTextInput)
    state.text = number_shown(*given);
  const bool kept = given && typed_number(state.text, unit) == given;
  const float height = px(34);
  const std::string answer = tr_id("Answer", id + "-answer");
  const float button_width = text_size(f.medium, kBody, tr("Answer")).x + px(28);
  const float unit_width =
      unit.empty() ? 0 : std::min(text_size(f.regular, kBody, unit).x, content_width() - px(8));
  const float field_width = std::min(px(130), content_width());
  const float left = ImGui::GetCursorPosX(), room = content_width();
  bool entered = false;
  {
    ScopedFont font(f.regular, kBody);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2{px(10), (height - ImGui::GetFontSize()) / 2});
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0f, px(1)));
    ImGui::PushStyleColor(ImGuiCol_FrameBg, look()->panel);
    ImGui::PushStyleColor(ImGuiCol_Border, state.nonsense ? look()->poor : look()->line);
    ImGui::SetNextItemWidth(field_width);
    if (std::exchange(state.refocus, false)) ImGui::SetKeyboardFocusHere();
    entered =
        ImGui::InputText(("##" + id).c_str(), &state.text,
                         ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll);
    if (ImGui::IsItemEdited()) state.nonsense = false;
    ImGui::PopStyleColor(2);
    ImGui::PopStyleVar(2);
  }
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  float used = field_width;
  const float line = line_height(f.regular, kBody);
  if (!unit.empty()) {
    const bool beside = used + px(8) + unit_width <= room;
    ImGui::SameLine(0, px(8));
    if (!beside) {
      ImGui::NewLine();
      used = 0;
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    draw_text_cut(ImGui::GetWindowDrawList(),
                  {at.x, beside ? min.y + (max.y - min.y - line) / 2 : at.y}, f.regular, kBody,
                  look()->body, unit, unit_width);
    ImGui::Dummy({unit_width, beside ? max.y - min.y : line});
    used += unit_width + px(8);
  }
  bool pressed = false;
  if (kept) {
    const float width = text_size(f.regular, kLabel, tr("your answer")).x + px(20);
    if (used + px(14) + width <= room) {
      ImGui::SameLine(0, px(14));
    } else {
      ImGui::SetCursorPosX(left);
    }
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + height / 2;
    // Not a tick, which would say that it is right.
    ImGui::GetWindowDrawList()->AddCircleFilled({at.x + px(6), y}, px(3.5f), look()->accent);
    draw_text(ImGui::GetWindowDrawList(), {at.x + px(18), y - line_height(f.regular, kLabel) / 2},
              f.regular, kLabel, look()->muted, tr("your answer"));
    ImGui::Dummy({width, height});
  } else {
    if (used + px(14) + button_width <= room) {
      ImGui::SameLine(0, px(14));
    } else {
      ImGui::SetCursorPosX(left);
    }
    pressed = button(answer, ButtonKind::kOutline, {button_width, height});
  }
  std::optional<double> out;
  if (entered || pressed) {
    out = typed_number(state.text, unit);
    if (positive && out && *out <= 0) out.reset();
    state.nonsense = state.refocus = !out;
    state.by_return = entered;
  }
  if (state.nonsense) {
    const std::string sample = local_number("1,024"), fraction = local_number("1.5");
    paragraph(f.regular, kLabel, look()->poor_on_raised,
              positive ? tr("Type one number above 0, such as {} or {}.", sample, fraction)
                       : tr("Type one number, such as {} or {}.", sample, fraction));
  }
  return out;
}

}  // namespace warpshop::ui
