#include "panels/value_rows.h"

#include <algorithm>
#include <cmath>

#include "core/standard.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// Converts a value to a number, for the height of its bar.
double height_of(ptx::Type type, uint64_t bits) {
  double value = static_cast<double>(bits);
  switch (type) {
    case ptx::Type::kF32:
      value = bit_cast<float>(static_cast<uint32_t>(bits));
      break;
    case ptx::Type::kF64:
      value = bit_cast<double>(bits);
      break;
    case ptx::Type::kS8:
    case ptx::Type::kS16:
      value = static_cast<int16_t>(bits);
      break;
    case ptx::Type::kS32:
      value = static_cast<int32_t>(bits);
      break;
    case ptx::Type::kS64:
      value = static_cast<double>(static_cast<int64_t>(bits));
      break;
    default:
      break;
  }
  return std::isfinite(value) ? value : 0;
}

}  // namespace

ValueColumns lane_strip(const View& view, int& chosen, CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ValueColumns c;
  // As wide as the rows below, which leave room for a scroll bar.
  c.width = content_width() - ImGui::GetStyle().ScrollbarSize;
  c.pitch = std::clamp(c.width * 0.40f / 32, px(4), px(11));
  c.cell = c.pitch - std::max(1.0f, px(1));
  c.cells_left = at.x + c.width - c.pitch * 32;
  c.row_height = px(20);
  draw_text(list, {at.x, at.y + px(3)}, f.regular, kLabel, t.muted, tr("lane"));
  ImGui::InvisibleButton("lanes", {c.width, c.row_height});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    const int lane =
        static_cast<int>(std::floor((ImGui::GetMousePos().x - c.cells_left) / c.pitch));
    if (lane >= 0 && lane < 32) {
      queue.point_at({uint32_t{1} << lane, 0});
      if (ImGui::IsItemActive())
        chosen = lane;
      else
        tooltip(tr("Lane {}", lane), tr("Click to write out its values."));
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    const float x = c.cells_left + c.pitch * static_cast<float>(lane);
    const bool active = view.film_state->what.mask >> lane & 1;
    const ImVec2 min{x, at.y + px(4)}, max{x + c.cell, at.y + px(14)};
    const ImU32 color = !active             ? t.line
                        : view.strong(lane) ? lane_color(lane)
                                            : mix(t.panel, lane_color(lane), 0.35f);
    list->AddRectFilled(min, max, color, px(2));
    if (active) draw_lane_digits(list, min, max, lane);
    if (lane == chosen)
      list->AddRect({x - px(2), at.y + px(2)}, {x + c.cell + px(2), at.y + px(16)}, t.text, px(3),
                    px(1.4f));
  }
  draw_text(list, {c.cells_left - px(12), at.y + px(3)}, f.medium, kLabel, t.text,
            std::to_string(chosen), Align::kRight);
  return c;
}

void value_row(const View& view, const ValueColumns& c, const ValueRow& row, int lane, int id,
               CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 p = ImGui::GetCursorScreenPos();
  ImGui::PushID(id);
  const bool clicked = ImGui::InvisibleButton("value", {c.width, c.row_height});
  const bool hovered = ImGui::IsItemHovered();
  ImGui::PopID();
  if (hovered && row.line > 0)
    list->AddRectFilled(p, {p.x + c.width, p.y + c.row_height}, t.raised, px(3));
  const float y = p.y + (c.row_height - line_height(f.code, 12.5f)) / 2;
  const float value_right = c.cells_left - px(12);
  const float name_width =
      std::min(text_size(f.code, 12.5f, row.name).x, (value_right - p.x) * 0.5f);
  draw_text_cut(list, {p.x, y}, f.code, 12.5f, row.strong ? t.text : t.muted, row.name,
                name_width + 1);
  const Face& face = row.is_sentence ? f.regular : f.code;
  const float value_width =
      std::min(text_size(face, 12.5f, row.value).x, value_right - p.x - name_width - px(10));
  const ImU32 value_color = row.is_sentence ? t.muted : row.changed >> lane & 1 ? t.good : t.text;
  draw_text_cut(list, {value_right, y}, face, 12.5f, value_color, row.value, value_width + 1,
                Align::kRight);
  const float beside_left = p.x + std::max(name_width + px(10), (value_right - p.x) * 0.36f);
  const float beside_room = value_right - value_width - px(8) - beside_left;
  if (!row.beside.empty() && beside_room > px(20)) {
    draw_text_cut(list, {beside_left, y}, f.regular, kSmall, t.muted, row.beside, beside_room);
  }
  // Equal values have equal heights: a constant is a flat line, an index a ramp.
  double low = 0, high = 0;
  bool any = false;
  for (int l = 0; l < 32; ++l) {
    if (!(row.lanes >> l & 1)) continue;
    const double value = height_of(row.type, row.bits[static_cast<size_t>(l)]);
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
  for (int l = 0; l < 32 && any; ++l) {
    if (!(row.lanes >> l & 1)) continue;
    const double value = height_of(row.type, row.bits[static_cast<size_t>(l)]);
    const float part = high == low ? 0.5f : static_cast<float>((value - low) / (high - low));
    const float x = c.cells_left + c.pitch * static_cast<float>(l);
    const float bar = px(3) + (c.row_height - px(9)) * part;
    const bool changed = row.changed >> l & 1;
    list->AddRectFilled(
        {x, p.y + c.row_height - px(3) - bar}, {x + c.cell, p.y + c.row_height - px(3)},
        with_alpha(changed ? lane_color(l) : t.line, view.strong(l) ? 1.0f : 0.35f), px(1));
  }
  if (hovered) {
    const float lane_at = (ImGui::GetMousePos().x - c.cells_left) / c.pitch;
    queue.point_at(
        {lane_at >= 0 && lane_at < 32 ? uint32_t{1} << static_cast<int>(lane_at) : 0, row.line});
    tooltip(row.title, row.explanation, row.footnote);
  }
  if (clicked && row.line > 0)
    queue.push(command::GoTo{{.file = view.result()->file_name, .line = row.line, .column = 1}});
}

}  // namespace warpshop::ui
