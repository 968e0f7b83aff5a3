#include "panels/shared_panel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/standard.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/shared_map.h"
#include "panels/export_menu.h"
#include "text/film_text.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using emulator::ReplayState;

struct CellFrame {
  float left = 0, width = 0, height = 0;
  bool texts = false;  // a value fits into a cell
};

// Makes cells as wide as the values if all columns then fit; otherwise as narrow as necessary and
// coloured by value.
CellFrame frame_of(const SharedGrid& grid, float room) {
  const Fonts& f = *look().fonts;
  CellFrame frame;
  frame.left = text_size(f.code, kSmall, "00000").x + px(8);
  const float columns = static_cast<float>(grid.columns);
  const float fits = (room - frame.left) / columns;
  frame.texts = fits >= px(30);
  frame.width = std::clamp(fits, px(6), px(62));
  frame.height = frame.texts ? px(20) : std::clamp(frame.width, px(8), px(16));
  return frame;
}

std::string short_value(ptx::Type type, uint64_t bits, float room) {
  const Fonts& f = *look().fonts;
  std::string text = local_number(value_text(type, bits));
  // "0.315430" becomes "0.315": keep the digits that fit; the tooltip has all of them.
  while (text_size(f.code, kSmall, text).x > room && text.size() > 3 &&
         text.find('.') != std::string::npos && text.find('e') == std::string::npos &&
         text.back() != '.') {
    text.pop_back();
  }
  return text_size(f.code, kSmall, text).x > room ? "…" : text;
}

double number_of(ptx::Type type, uint64_t bits) {
  double value = static_cast<double>(bits);
  if (type == ptx::Type::kF32) value = bit_cast<float>(static_cast<uint32_t>(bits));
  if (type == ptx::Type::kF64) value = bit_cast<double>(bits);
  if (type == ptx::Type::kS32) value = static_cast<int32_t>(bits);
  return std::isfinite(value) ? value : 0;
}

struct Range {
  double low = 0, high = 0;
};

Range range_of(const SharedGrid& grid, const ReplayState& state) {
  Range out;
  bool any = false;
  for (uint64_t n = 0; n < grid.elements; ++n) {
    const SharedCell cell = shared_cell(grid, state, n, {});
    if (!cell.written) continue;
    const double value = number_of(grid.type, cell.bits);
    out.low = any ? std::min(out.low, value) : value;
    out.high = any ? std::max(out.high, value) : value;
    any = true;
  }
  return out;
}

class GridView {
 public:
  GridView(const View& view, const SharedGrid& grid, const CellFrame& frame,
           const ReplayState& state)
      : view_(view),
        grid_(grid),
        frame_(frame),
        state_(state),
        sites_(view.result()->student()->sites) {
    if (!frame.texts && grid.elements <= 16384) range_ = range_of(grid, state);
  }

  void column_marks() const {
    const Theme& t = *look().theme;
    const Fonts& f = *look().fonts;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ScaleMarks marks;
    const uint64_t step = frame_.texts ? 1 : frame_.width >= px(11) ? 4 : 8;
    for (uint64_t c = 0; c < grid_.columns; c += step) {
      const float x = at.x + frame_.left + frame_.width * (static_cast<float>(c) + 0.5f);
      draw_text(ImGui::GetWindowDrawList(), {x, at.y}, f.code, kSmall, t.muted, std::to_string(c),
                Align::kCenter);
    }
    ImGui::Dummy({frame_.left + frame_.width * static_cast<float>(grid_.columns), px(15)});
  }

  void row(uint64_t number, CommandQueue& queue) const {
    const Theme& t = *look().theme;
    const Fonts& f = *look().fonts;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImDrawList* list = ImGui::GetWindowDrawList();
    const uint64_t first = number * grid_.columns,
                   end = std::min(first + grid_.columns, grid_.elements);
    const float y = at.y + (frame_.height - line_height(f.code, kSmall)) / 2;
    const bool marked = frame_.height >= px(12) || number % 4 == 0;
    if (marked) {
      const ScaleMarks marks;
      const std::string index =
          grid_.counts.size() > 1 ? std::to_string(number) : std::to_string(first);
      draw_text(list, {at.x + frame_.left - px(8), y}, f.code, kSmall, t.muted, index,
                Align::kRight);
    }
    for (uint64_t n = first; n < end; ++n)
      cell(n, {at.x + frame_.left + frame_.width * static_cast<float>(n - first), at.y}, list);
    ImGui::PushID(static_cast<int>(number));
    ImGui::InvisibleButton(
        "row", {frame_.left + frame_.width * static_cast<float>(grid_.columns), frame_.height});
    ImGui::PopID();
    if (!ImGui::IsItemHovered()) return;
    const float column = (ImGui::GetMousePos().x - at.x - frame_.left) / frame_.width;
    if (column < 0 || first + static_cast<uint64_t>(column) >= end) return;
    explain(first + static_cast<uint64_t>(column), queue);
  }

 private:
  void cell(uint64_t element, ImVec2 min, ImDrawList* list) const {
    const Theme& t = *look().theme;
    const Fonts& f = *look().fonts;
    const SharedCell c = shared_cell(grid_, state_, element, sites_);
    const float gap = frame_.width >= px(9) ? px(1) : 0;
    const ImVec2 max{min.x + frame_.width - gap, min.y + frame_.height - gap};
    ImU32 color = mix(t.panel, t.raised, 0.7f);
    if (c.written && !frame_.texts) {
      const double span = range_.high - range_.low;
      const auto part =
          static_cast<float>(span > 0 ? (number_of(grid_.type, c.bits) - range_.low) / span : 0.5);
      color = mix(mix(t.panel, t.accent, 0.12f), mix(t.panel, t.accent, 0.65f),
                  std::clamp(part, 0.0f, 1.0f));
    }
    if (c.touched != 0) {
      const bool strong = view_.pointing.lanes == 0 || (c.touched & view_.pointing.lanes) != 0;
      // Keep numbers readable on the lanes' colours.
      const float part = frame_.texts ? 0.45f : 0.9f;
      color = mix(t.panel, lane_color(std::countr_zero(c.touched)), strong ? part : part / 3);
    }
    list->AddRectFilled(min, max, color);
    if (c.touched != 0) list->AddRect(min, max, t.text, 0, px(1));
    if (!c.written) draw_hatch(list, min, max, t.line, px(5), px(1));
    if (frame_.texts) {
      const std::string text =
          c.written ? short_value(grid_.type, c.bits, frame_.width - px(6)) : "?";
      const float y = min.y + (frame_.height - line_height(f.code, kSmall)) / 2;
      draw_text(list, {max.x - px(3), y}, f.code, kSmall, c.written ? t.text : t.muted, text,
                Align::kRight);
    }
  }

  void explain(uint64_t element, CommandQueue& queue) const {
    const SharedCell c = shared_cell(grid_, state_, element, sites_);
    const uint64_t byte = grid_.offset_bytes + element * grid_.element_bytes;
    const int bank = static_cast<int>(byte / 4 % 32);
    const std::string name = grid_.name + grid_.index_of(element);
    std::string text = c.written ? local_number(value_text(grid_.type, c.bits))
                                 : std::string(tr("The block has not written it yet."));
    text += "\n" + tr("byte {} · bank {}", with_separators(byte), bank);
    std::string footnote;
    if (c.touched != 0) {
      footnote = c.stored ? tr("written by {}", lanes_text(c.touched))
                          : tr("read by {}", lanes_text(c.touched));
    } else if (const uint32_t same = lanes_of_bank(state_, bank); same != 0) {
      footnote = tr("in the same bank: {}", lanes_text(same));
    }
    tooltip(name, text, footnote);
    // The lanes whose access in this step goes to this element, or else to its bank.
    const uint32_t lanes = c.touched != 0 ? c.touched : lanes_of_bank(state_, bank);
    if (lanes != 0) queue.point_at({lanes, view_.film->at(view_.film_step).line});
  }

  const View& view_;
  const SharedGrid& grid_;
  const CellFrame& frame_;
  const ReplayState& state_;
  const std::vector<emulator::AccessSite>& sites_;
  Range range_;
};

// Returns the row of the first element that the step accesses; -1 if none.
int64_t touched_row(const SharedGrid& grid, const ReplayState& state) {
  for (const emulator::ReplayAccess& access : state.accesses) {
    if (access.space != ptx::Space::kShared || access.mask == 0) continue;
    const uint64_t at = access.address[static_cast<size_t>(std::countr_zero(access.mask))];
    if (at < grid.offset_bytes || at >= grid.offset_bytes + grid.elements * grid.element_bytes)
      continue;
    return static_cast<int64_t>((at - grid.offset_bytes) / grid.element_bytes / grid.columns);
  }
  return -1;
}

void heading(const SharedGrid& grid, const ReplayState& state) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  uint64_t unwritten = 0;
  for (uint64_t n = 0; n < grid.elements; ++n)
    unwritten += !shared_cell(grid, state, n, {}).written;
  std::string more = tr("{} bytes", with_separators(grid.elements * grid.element_bytes));
  if (unwritten == grid.elements) {
    more += " · " + std::string(tr("nothing written yet"));
  } else if (unwritten > 0) {
    more +=
        " · " + tr_count(unwritten, "{} element not yet written", "{} elements not yet written");
  }
  if (grid.row_is_all_banks) more += " · " + std::string(tr("a column is a bank"));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, {at.x, at.y + px(3)}, f.code, kLabel, t.text, grid.declared);
  const float left = at.x + text_size(f.code, kLabel, grid.declared).x + px(14);
  draw_text_cut(list, {left, at.y + px(3)}, f.regular, kLabel, t.muted, more,
                std::max(px(20), at.x + content_width() - left));
  ImGui::Dummy({content_width(), px(22)});
}

}  // namespace

void shared_panel(const View& view, SharedPanelState& state, CommandQueue& queue) {
  Panel panel("shared", tr("Shared memory"), ImGuiWindowFlags_NoNavInputs);
  state.visible = static_cast<bool>(panel);
  if (!panel) return;
  const ReplayState* now = view.film_state;
  if (!view.film || !now || view.film_step >= view.film->steps.size()) {
    panel.header(tr("Shared memory"));
    empty_panel(
        tr("What the block's shared memory holds appears here while the film of a warp is open."),
        tr("F10 goes one instruction on."));
    return;
  }
  panel.header(tr("Shared memory"), tr("after step {}", with_separators(now->step + 1)));
  Greyed grey(view.stale);
  static const std::vector<lab::SharedShape> none;
  const std::vector<SharedGrid> grids =
      shared_grids(*view.film, *now, view.film_variables ? view.film_variables->shared : none);
  if (grids.empty()) {
    empty_panel(tr("This kernel has no arrays in shared memory."));
    return;
  }
  export_menu(
      tr("Shared memory"), [&] { return shared_csv(grids, *now); }, queue);
  ImGui::BeginChild("arrays", {0, 0}, 0, ImGuiWindowFlags_HorizontalScrollbar);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  const float room = content_width() - ImGui::GetStyle().ScrollbarSize;
  const bool scroll = state.shown_step != now->step;
  state.shown_step = now->step;
  for (const SharedGrid& grid : grids) {
    ImGui::PushID(grid.name.c_str());
    heading(grid, *now);
    const CellFrame frame = frame_of(grid, room);
    const GridView cells(view, grid, frame, *now);
    cells.column_marks();
    // Scroll to what the step accesses.
    if (const int64_t row = touched_row(grid, *now); scroll && row >= 0) {
      const float top = ImGui::GetCursorPosY() + frame.height * static_cast<float>(row),
                  seen = ImGui::GetScrollY();
      const float height = ImGui::GetWindowHeight();
      if (top < seen || top + frame.height > seen + height)
        ImGui::SetScrollY(std::max(0.0f, top - height * 0.4f));
    }
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(grid.rows()), frame.height);
    while (clipper.Step()) {
      for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n)
        cells.row(static_cast<uint64_t>(n), queue);
    }
    gap(10);
    ImGui::PopID();
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace warpshop::ui
