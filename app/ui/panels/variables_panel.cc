#include "panels/variables_panel.h"

#include <algorithm>
#include <cstring>
#include <vector>

#include "core/ascii.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/value_rows.h"
#include "text/film_text.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

using emulator::ReplayRegister;

// Lists what the step changed, then what the line's instructions compute, then the rest; omits what
// was never written.
std::vector<ValueRow> register_rows(const View& view, int lane) {
  const emulator::ReplayState& state = *view.film_state;
  const lab::FilmScript& film = *view.film;
  const int here = film.at(view.film_step).line;
  std::vector<ValueRow> rows;
  for (const ReplayRegister& r : state.registers) {
    if (!r.written) continue;
    ValueRow& row = rows.emplace_back();
    row.name = r.name;
    row.value = local_number(value_text(r.type, r.bits[static_cast<size_t>(lane)]));
    row.type = r.type;
    row.bits = r.bits;
    row.changed = r.changed;
    row.strong = r.changed != 0;
    row.line = r.defined_by < 0 ? 0 : film.of(state.what.function, r.defined_by).line;
    row.title = r.name + " · " + std::string(ptx::name_of(r.type));
    row.explanation = tr("lane {}", lane) + ": " + row.value;
    if (row.line > 0) row.footnote = tr("written at line {}", row.line);
  }
  auto rank = [&](const ValueRow& row) { return row.changed ? 0 : row.line == here ? 1 : 2; };
  std::stable_sort(rows.begin(), rows.end(),
                   [&](const ValueRow& x, const ValueRow& y) { return rank(x) < rank(y); });
  return rows;
}

ValueRow variable_row(const lab::NamedValue& value, int lane) {
  ValueRow row;
  row.name = value.name;
  row.value = local_number(value_text(value, lane));
  row.is_sentence = value.lanes == 0;
  row.type = value.scalar;
  row.bits = value.bits;
  row.lanes = value.lanes;
  row.line = value.line;
  row.title = value.type + " " + value.name;
  if (value.lanes == 0) {
    row.explanation = value.absent == lab::NamedValue::Absent::kNoPlace
                          ? tr("The compiler does not store this variable at this point, not even "
                               "in the debug build.")
                          : tr("The kernel has not reached a line that assigns this variable.");
  } else if (value.is_launch) {
    row.strong = false;
    row.explanation = tr("lane {}", lane) + ": " + row.value;
  } else {
    row.beside = value.held_in.empty() ? std::string(tr("debug build")) : value.held_in;
    row.explanation =
        tr("lane {}", lane) + ": " + row.value + "\n" +
        (value.held_in.empty()
             ? tr("Only the debug build has this value here: the optimised kernel keeps it in "
                  "another form, or no longer needs it.")
             : tr("The optimised kernel has the same value in {} at this step.", value.held_in));
  }
  if (value.line > 0) row.footnote = tr("declared at line {}", value.line);
  return row;
}

// Draws the heading of a part, with a remark at its right end.
void part_heading(std::string_view title, std::string_view remark) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = px(24), y = at.y + px(5);
  draw_text(list, {at.x, y}, f.medium, kLabel, t.text, title);
  const float room = width - text_size(f.medium, kLabel, title).x - px(14);
  draw_text_cut(list, {at.x + width, y}, f.regular, kLabel, t.muted, remark, room, Align::kRight);
  ImGui::Dummy({width, height});
}

void variables(const View& view, const ValueColumns& columns, int lane, CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const lab::VariableState* state = view.film_variables;
  if (!state) {
    part_heading(tr("Variables"), tr("making the debug build…"));
    return;
  }
  if (!state->problem.empty()) {
    part_heading(tr("Variables"), "");
    paragraph(f.regular, kLabel, t.muted,
              tr("Variables cannot be shown for this kernel: its debug build does not run."));
    paragraph(f.code, kLabel, t.muted, state->problem);
    return;
  }
  part_heading(tr("Variables"), tr("from the debug build"));
  if (ImGui::IsItemHovered()) {
    tooltip(tr("Variables"),
            tr("The kernel that runs is the optimised one, and it keeps no names. The values are "
               "those of a debug build of the same text, played beside it to the same point of the "
               "source. A register beside a name holds the same value in the optimised kernel."),
            state->lanes_differ
                ? tr("Some lanes are at another point in the source; their values are from there.")
                : std::string());
  }
  int id = 1 << 20;
  for (const lab::NamedValue& value : state->values)
    value_row(view, columns, variable_row(value, lane), lane, id++, queue);
}

// Draws a line that opens and closes what is below it.
bool fold(std::string_view title, bool& open) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float height = px(26);
  if (ImGui::InvisibleButton("fold", {content_width(), height})) open = !open;
  const bool hovered = ImGui::IsItemHovered();
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_chevron(list, {at.x + px(6), at.y + height / 2}, px(8),
               open ? ImGuiDir_Down : ImGuiDir_Right, hovered ? t.accent : t.muted, px(1.6f));
  draw_text(list, {at.x + px(18), at.y + px(6)}, f.medium, kLabel, hovered ? t.accent : t.text,
            title);
  return open;
}

ptx::Type type_of_access(const emulator::ReplayAccess& access, const ReplayRegister* changed) {
  if (changed && ptx::size_bytes(changed->type) == access.bytes) return changed->type;
  return access.bytes == 8   ? ptx::Type::kU64
         : access.bytes == 2 ? ptx::Type::kU16
                             : ptx::Type::kU32;
}

uint64_t value_of(const std::array<uint8_t, 16>& bytes, int count) {
  uint64_t value = 0;
  std::memcpy(&value, bytes.data(), static_cast<size_t>(std::min(count, 8)));
  return value;
}

std::string_view word_of(ptx::Space space) {
  switch (space) {
    case ptx::Space::kShared:
      return tr("shared memory");
    case ptx::Space::kLocal:
      return tr("local memory");
    case ptx::Space::kConst:
      return tr("constant memory");
    default:
      return tr("global memory");
  }
}

// "shared memory 0x80: 1 → 5"
std::string access_text(const View& view, const emulator::ReplayAccess& access, int lane) {
  const auto l = static_cast<size_t>(lane);
  const std::string where =
      std::string(word_of(access.space)) + " " + hexadecimal(access.address[l]);
  if (!(access.mask >> lane & 1))
    return tr("{}: lane {} takes no part", word_of(access.space), lane);
  const ReplayRegister* changed = nullptr;
  for (const ReplayRegister& r : view.film_state->registers) {
    if (r.changed) changed = &r;
  }
  const lab::KernelRun& run = *view.result()->student();
  const bool load = run.sites[access.site].kind == emulator::AccessKind::kLoad;
  // The last part of a store's opcode gives its type: "st.global.f32".
  ptx::Type type = type_of_access(access, changed);
  const std::string& text = run.sites[access.site].text;
  const std::string opcode = text.substr(0, text.find(' '));
  if (const size_t dot = opcode.rfind('.'); dot != std::string::npos) {
    if (const auto written = ptx::type_from_name(opcode.substr(dot + 1))) type = *written;
  }
  const std::string is = local_number(value_text(type, value_of(access.after[l], access.bytes)));
  if (load) return tr("{} holds {}", where, is);
  return where + ": " + local_number(value_text(type, value_of(access.before[l], access.bytes))) +
         " → " + is;
}

}  // namespace

void variables_panel(const View& view, VariablesPanelState& state, CommandQueue& queue) {
  Panel panel("registers", tr("Variables"), ImGuiWindowFlags_NoNavInputs);
  state.visible = static_cast<bool>(panel);
  if (!panel) return;
  if (!view.film || !view.film_state || view.film_step >= view.film->steps.size()) {
    panel.header(tr("Variables"));
    empty_panel(tr("Variables and registers of the warp appear here while its film is open."),
                tr("F10 goes one instruction on."));
    return;
  }
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  // A single clock: the film's step, and the source position at that step.
  const std::string step = with_separators(view.film_state->step + 1);
  const bool placed = view.film_variables && view.film_variables->problem.empty();
  panel.header(tr("Variables"), placed ? tr("values at step {}: {}", step,
                                            position_text(view.film_variables->position))
                                       : tr("values at step {}", step));
  Greyed grey(view.stale);

  export_menu(
      tr("Variables"), [&view] { return registers_csv(*view.film_state, view.film_variables); },
      queue);
  const ValueColumns columns = lane_strip(view, state.lane, queue);
  for (const emulator::ReplayAccess& access : view.film_state->accesses) {
    paragraph(f.regular, kLabel, t.text, access_text(view, access, state.lane));
  }
  ImGui::BeginChild("list");
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2{0, 0});
  variables(view, columns, state.lane, queue);
  const std::vector<ValueRow> rows = register_rows(view, state.lane);
  if (fold(tr("PTX registers ({})", rows.size()), state.registers_open)) {
    ImGuiListClipper clipper;
    clipper.Begin(static_cast<int>(rows.size()), columns.row_height);
    while (clipper.Step()) {
      for (int n = clipper.DisplayStart; n < clipper.DisplayEnd; ++n) {
        value_row(view, columns, rows[static_cast<size_t>(n)], state.lane, n, queue);
      }
    }
  }
  ImGui::PopStyleVar();
  ImGui::EndChild();
}

}  // namespace warpshop::ui
