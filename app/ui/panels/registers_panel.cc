#include "panels/registers_panel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "text/film_text.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using emulator::ReplayRegister;

struct Row {
  const ReplayRegister* reg = nullptr;
  int line = 0;  // of the instruction that writes it
};

// What the step changed, then what the line's instructions compute, then the rest; what was never written is left out.
std::vector<Row> rows_of(const View& view) {
  const emulator::ReplayState& state = *view.film_state;
  const lab::FilmScript& film = *view.film;
  const int here = film.at(view.film_step).line;
  std::vector<Row> rows;
  for (const ReplayRegister& r : state.registers) {
    if (!r.written) continue;
    rows.push_back({&r, r.defined_by < 0 ? 0 : film.of(state.what.function, r.defined_by).line});
  }
  auto rank = [&](const Row& row) { return row.reg->changed ? 0 : row.line == here ? 1 : 2; };
  std::stable_sort(rows.begin(), rows.end(), [&](const Row& a, const Row& b) { return rank(a) < rank(b); });
  return rows;
}

ptx::Type type_of_access(const emulator::ReplayAccess& access, const ReplayRegister* changed) {
  if (changed && ptx::size_bytes(changed->type) == access.bytes) return changed->type;
  return access.bytes == 8 ? ptx::Type::kU64 : access.bytes == 2 ? ptx::Type::kU16 : ptx::Type::kU32;
}

uint64_t value_of(const std::array<uint8_t, 16>& bytes, int count) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), static_cast<size_t>(std::min(count, 8)));
  return value;
}

std::string_view word_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::kShared: return tr("shared memory");
    case ptx::Space::kLocal: return tr("local memory");
    case ptx::Space::kConst: return tr("constant memory");
    default: return tr("global memory");
  }
}

// "shared memory 0x80: 1 → 5"
std::string access_text(const View& view, const emulator::ReplayAccess& access, int lane) {
  const auto l = static_cast<size_t>(lane);
  const std::string where = std::string(word_of(access.space)) + " " + hex_address(access.address[l]);
  if (!(access.mask >> lane & 1)) return tr("{}: lane {} takes no part", word_of(access.space), lane);
  const ReplayRegister* changed = nullptr;
  for (const ReplayRegister& r : view.film_state->registers) {
    if (r.changed) changed = &r;
  }
  const lab::KernelRun& run = *view.result()->student();
  const bool load = run.sites[access.site].kind == emulator::AccessKind::kLoad;
  // A store's type is in its text: the last part of the opcode, "st.global.f32".
  ptx::Type type = type_of_access(access, changed);
  const std::string& text = run.sites[access.site].text;
  const std::string opcode = text.substr(0, text.find(' '));
  if (const size_t dot = opcode.rfind('.'); dot != std::string::npos) {
    if (const auto written = ptx::type_from_name(opcode.substr(dot + 1))) type = *written;
  }
  const std::string is = value_text(type, value_of(access.after[l], access.bytes));
  if (load) return tr("{} holds {}", where, is);
  return where + ": " + value_text(type, value_of(access.before[l], access.bytes)) + " → " + is;
}

}  // namespace

void registers_panel(const View& view, RegistersPanelState& state, CommandQueue& queue) {
  Panel panel("registers", tr("Registers"), ImGuiWindowFlags_NoNavInputs);
  state.visible = static_cast<bool>(panel);
  if (!panel) return;
  if (!view.film || !view.film_state || view.film_step >= view.film->steps.size()) {
    panel.header(tr("Registers"));
    empty_panel(tr("Registers of the warp appear here while its film is open."), tr("F10 goes one instruction on."));
    return;
  }
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  panel.header(tr("Registers"), tr("after step {}", with_separators(view.film_state->step + 1)));
  Greyed grey(view.stale);

  export_menu(tr("Registers"), [&view] { return registers_csv(*view.film_state); }, queue);
  // The lane whose values are written out.
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  // As wide as the rows below, which leave room for a scroll bar.
  const float width = content_width() - ImGui::GetStyle().ScrollbarSize;
  const float pitch = std::clamp(width * 0.45f / 32, px(4), px(11)), cell = pitch - std::max(1.0f, px(1));
  const float cells_left = at.x + width - pitch * 32;
  const float row_height = px(20);
  draw_text(list, {at.x, at.y + px(3)}, f.regular, kLabel, t.muted, tr("lane"));
  ImGui::InvisibleButton("lanes", {width, row_height});
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    const int lane = static_cast<int>(std::floor((ImGui::GetMousePos().x - cells_left) / pitch));
    if (lane >= 0 && lane < 32) {
      queue.point_at({uint32_t{1} << lane, 0});
      if (ImGui::IsItemActive()) state.lane = lane;
      else tooltip(tr("Lane {}", lane), tr("Click to write out its values."));
    }
  }
  for (int lane = 0; lane < 32; ++lane) {
    const float x = cells_left + pitch * static_cast<float>(lane);
    const bool active = view.film_state->what.mask >> lane & 1;
    list->AddRectFilled({x, at.y + px(4)}, {x + cell, at.y + px(14)}, !active ? t.line : view.strong(lane) ? lane_color(lane) : mix(t.panel, lane_color(lane), 0.35f), px(2));
    if (active) draw_lane_digits(list, {x, at.y + px(4)}, {x + cell, at.y + px(14)}, lane);
    if (lane == state.lane) list->AddRect({x - px(2), at.y + px(2)}, {x + cell + px(2), at.y + px(16)}, t.text, px(3), px(1.4f));
  }
  draw_text(list, {cells_left - px(12), at.y + px(3)}, f.medium, kLabel, t.text, std::to_string(state.lane), Align::kRight);

  for (const emulator::ReplayAccess& access : view.film_state->accesses) {
    paragraph(f.regular, kLabel, t.text, access_text(view, access, state.lane));
  }
  ImGui::BeginChild("list");
  ImDrawList* inner = ImGui::GetWindowDrawList();
  const std::vector<Row> rows = rows_of(view);
  ImGuiListClipper clipper;
  clipper.Begin(static_cast<int>(rows.size()), row_height);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  const float list_width = width;
  const float left_of_cells = cells_left;
  while (clipper.Step()) {
    for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n) {
      const ReplayRegister& r = *rows[static_cast<size_t>(n)].reg;
      const int line = rows[static_cast<size_t>(n)].line;
      const ImVec2 p = ImGui::GetCursorScreenPos();
      ImGui::PushID(n);
      const bool clicked = ImGui::InvisibleButton("register", {list_width, row_height});
      const bool hovered = ImGui::IsItemHovered();
      ImGui::PopID();
      const float y = p.y + (row_height - line_height(f.code, 12.5f)) / 2;
      const ImU32 color = r.changed ? t.text : t.muted;
      draw_text(inner, {p.x, y}, f.code, 12.5f, color, r.name);
      const float value_right = left_of_cells - px(12);
      draw_text_cut(inner, {value_right, y}, f.code, 12.5f, r.changed >> state.lane & 1 ? t.good : t.text,
                    value_text(r.type, r.bits[static_cast<size_t>(state.lane)]), value_right - p.x - px(60), Align::kRight);
      // Equal values have one height: a constant is a flat line, an index a ramp.
      uint64_t low = ~uint64_t{0}, high = 0;
      for (uint64_t bits : r.bits) {
        low = std::min(low, bits);
        high = std::max(high, bits);
      }
      for (int lane = 0; lane < 32; ++lane) {
        const uint64_t bits = r.bits[static_cast<size_t>(lane)];
        const float part = high == low ? 0.5f : static_cast<float>(static_cast<double>(bits - low) / static_cast<double>(high - low));
        const float x = left_of_cells + pitch * static_cast<float>(lane);
        const float bar = px(3) + (row_height - px(9)) * part;
        const bool changed = r.changed >> lane & 1;
        inner->AddRectFilled({x, p.y + row_height - px(3) - bar}, {x + cell, p.y + row_height - px(3)},
                             with_alpha(changed ? lane_color(lane) : t.line, view.strong(lane) ? 1.0f : 0.35f), px(1));
      }
      if (hovered) {
        const float lane_at = (ImGui::GetMousePos().x - left_of_cells) / pitch;
        const int lane = lane_at >= 0 && lane_at < 32 ? static_cast<int>(lane_at) : state.lane;
        queue.point_at({lane_at >= 0 && lane_at < 32 ? uint32_t{1} << lane : 0, line});
        const std::string written = line > 0 ? tr("written at line {}", line) : "";
        tooltip(r.name + " · " + std::string(ptx::name_of(r.type)),
                tr("lane {}", lane) + ": " + value_text(r.type, r.bits[static_cast<size_t>(lane)]), written);
      }
      if (clicked && line > 0) queue.push(command::GoTo{{.file = view.result()->file_name, .line = line, .column = 1}});
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace warpshop::ui
