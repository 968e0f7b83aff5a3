#include "panels/warp_panel.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "app/actions.h"
#include "core/dim3.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "text/film_text.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

using emulator::ReplayStep;

enum class Symbol { kPlay, kPause, kBack, kForth };

bool transport(const char* id, Symbol symbol, std::string_view action) {
  const float size = px(26);
  const bool pressed = ImGui::InvisibleButton(id, {size, size});
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  const ImVec2 c{(min.x + max.x) / 2, (min.y + max.y) / 2};
  ImDrawList* list = ImGui::GetWindowDrawList();
  if (ImGui::IsItemHovered()) list->AddRectFilled(min, max, look()->raised, px(6));
  const ImU32 color = look()->accent;
  switch (symbol) {
    case Symbol::kPlay:
      list->AddTriangleFilled({c.x - px(4), c.y - px(6)}, {c.x - px(4), c.y + px(6)},
                              {c.x + px(7), c.y}, color);
      break;
    case Symbol::kPause:
      list->AddRectFilled({c.x - px(6), c.y - px(6)}, {c.x - px(2), c.y + px(6)}, color, px(1));
      list->AddRectFilled({c.x + px(2), c.y - px(6)}, {c.x + px(6), c.y + px(6)}, color, px(1));
      break;
    case Symbol::kBack:
      draw_chevron(list, c, px(10), ImGuiDir_Left, color, px(2));
      break;
    case Symbol::kForth:
      draw_chevron(list, c, px(10), ImGuiDir_Right, color, px(2));
      break;
  }
  action_tooltip(action);
  return pressed;
}

void jump(const char* label, std::string_view action, FilmEvent event, CommandQueue& queue,
          int by = 1) {
  ImGui::SameLine(0, px(14));
  if (content_width() < text_size(look().fonts->regular, kLabel, label).x) {
    ImGui::NewLine();
    return;
  }
  if (link(label, kLabel)) queue.push(command::MoveFilm{event, by});
  action_tooltip(action);
}

void controls(const View& view, CommandQueue& queue) {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, px(2, 0));
  if (transport("back", Symbol::kBack, "film-step-back"))
    queue.push(command::MoveFilm{FilmEvent::kStep, -1});
  ImGui::SameLine();
  if (transport("play", view.film_playing ? Symbol::kPause : Symbol::kPlay, "film-play"))
    queue.push(command::PlayFilm{});
  ImGui::SameLine();
  if (transport("forth", Symbol::kForth, "film-step"))
    queue.push(command::MoveFilm{FilmEvent::kStep, 1});
  jump(tr("Previous line"), "film-line-back", FilmEvent::kLine, queue, -1);
  jump(tr("Next line"), "film-line", FilmEvent::kLine, queue);
  jump(tr("Next access"), "film-access", FilmEvent::kAccess, queue);
  jump(tr("Next divergence"), "film-divergence", FilmEvent::kDivergence, queue);
  jump(tr("Next finding"), "film-finding", FilmEvent::kFinding, queue);
  ImGui::PopStyleVar();
}

// Draws the whole film: a column's height is the number of lanes that ran, the fewest if several
// steps share a pixel. Ticks below mark accesses.
void strip(const View& view, CommandQueue& queue) {
  const lab::FilmScript& film = *view.film;
  const Theme& t = *look().theme;
  const float width = std::max(content_width(), px(20)), height = px(40);
  ImGui::InvisibleButton("film", {width, height});
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto count = static_cast<double>(film.steps.size());
  const double pitch = std::min(width / count, static_cast<double>(px(10)));
  const float floor = max.y - px(8), tall = height - px(10);
  auto x_of = [&](double step) { return min.x + static_cast<float>(step * pitch); };
  const float end = x_of(count);
  list->AddRectFilled({min.x, floor - tall}, {end, floor}, mix(t.panel, t.raised, 0.7f), px(2));
  const auto columns = static_cast<size_t>(
      std::max(1.0f, std::min(static_cast<float>(count), (end - min.x) / std::max(1.0f, px(1)))));
  for (size_t c = 0; c < columns; ++c) {
    const size_t first = c * film.steps.size() / columns,
                 last = std::max(first + 1, (c + 1) * film.steps.size() / columns);
    int fewest = 33;
    bool access = false, finding = false;
    // In a very long film, sampling each column is enough for a pixel.
    const size_t stride = std::max<size_t>(1, (last - first) / 64);
    for (size_t n = first; n < last; n += stride) {
      const ReplayStep& s = film.steps[n];
      if (s.mask != 0) fewest = std::min(fewest, std::popcount(s.mask));
      access |= (s.flags & emulator::kStepAccess) != 0;
      finding |= (s.flags & emulator::kStepFinding) != 0;
    }
    const float x0 = x_of(static_cast<double>(first)),
                x1 = std::max(x0 + 1,
                              x_of(static_cast<double>(last)) - (pitch >= px(3) ? px(1) : 0));
    if (fewest <= 32) {
      const bool part = std::popcount(film.steps[first].live) > fewest;
      draw_bar(list, {x0, floor - tall * static_cast<float>(fewest) / 32}, {x1, floor},
               with_alpha(part ? t.poor : t.good, 0.55f), part, 0);
    }
    if (access) list->AddRectFilled({x0, floor + px(2)}, {x1, floor + px(5)}, t.accent);
    if (finding) list->AddRectFilled({x0, floor + px(5)}, {x1, floor + px(8)}, t.poor);
  }
  const float x = x_of(static_cast<double>(view.film_step) + 0.5);
  list->AddLine({x, min.y}, {x, max.y}, t.text, px(1.6f));
  list->AddCircleFilled({x, min.y + px(3)}, px(4), t.text);
  if (!ImGui::IsItemHovered() && !ImGui::IsItemActive()) return;
  const double at = (ImGui::GetMousePos().x - min.x) / pitch;
  const auto step = static_cast<size_t>(std::clamp(at, 0.0, count - 1));
  if (ImGui::IsItemActive()) {
    if (step != view.film_step) queue.push(command::SeekFilm{step});
  } else if (at < count) {
    const lab::FilmInstruction& what = film.at(step);
    tooltip(tr("Step {}", with_separators(step + 1)) +
                (what.line > 0 ? " · " + tr("line {}", what.line) : std::string()),
            what.text, lanes_text(film.steps[step].mask));
  }
}

struct Cells {
  float left = 0, pitch = 0, size = 0;
};

void draw_cells(const View& view, ImDrawList* list, const Cells& cells, float top, float height,
                uint32_t mask, uint32_t live, float alpha) {
  const Theme& t = *look().theme;
  for (int lane = 0; lane < 32; ++lane) {
    const ImVec2 min{cells.left + cells.pitch * static_cast<float>(lane), top};
    const ImVec2 max{min.x + cells.size, top + height};
    if (mask >> lane & 1) {
      fill_cell(list, min, max,
                with_alpha(lane_color(lane), view.strong(lane) ? alpha : alpha * 0.25f));
      draw_lane_digits(list, min, max, lane);
    } else if (live >> lane & 1) {
      fill_cell(list, min, max, with_alpha(t.line, alpha * 0.55f));
    }
  }
}

// Draws the instructions around the current one, each with its lanes. Time runs down.
// `in_sight`: the height of what is seen of them without scrolling.
void rows(const View& view, ImVec2 space, float in_sight, CommandQueue& queue) {
  const lab::FilmScript& film = *view.film;
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImGui::InvisibleButton("rows", {std::max(space.x, 1.0f), std::max(space.y, 1.0f)});
  const float pitch = px(19);
  const int shown = std::max(1, static_cast<int>(space.y / pitch));
  const auto total = static_cast<int64_t>(film.steps.size());
  // The current one stands in the middle of those in sight.
  const int seen = std::clamp(static_cast<int>(in_sight / pitch), 1, shown);
  const int64_t first = std::clamp<int64_t>(static_cast<int64_t>(view.film_step) - seen / 2, 0,
                                            std::max<int64_t>(0, total - seen));
  const float number_width = text_size(f.code, 12, "00000").x;
  Cells cells;
  cells.left = at.x + number_width + px(8);
  cells.pitch = std::round(std::clamp((space.x * 0.42f) / 32, px(4), px(13)));
  cells.size = cells.pitch - std::max(1.0f, std::floor(px(1.5f)));
  const float text_left = cells.left + cells.pitch * 32 + px(12);
  list->PushClipRect(at, {at.x + space.x, at.y + space.y}, true);
  for (int n = 0; n < shown && first + n < total; ++n) {
    const auto step = static_cast<size_t>(first + n);
    const ReplayStep& s = film.steps[step];
    const lab::FilmInstruction& what = film.at(step);
    const float top = at.y + pitch * static_cast<float>(n);
    const bool here = step == view.film_step;
    if (here)
      list->AddRectFilled({at.x - px(4), top}, {at.x + space.x, top + pitch}, t.raised, px(4));
    const bool new_line = step == 0 || n == 0 || film.at(step - 1).line != what.line;
    const float y = top + (pitch - line_height(f.code, 12)) / 2;
    if (new_line && what.line > 0) {
      const ScaleMarks marks;
      draw_text(list, {at.x + number_width, y}, f.code, 12, here ? t.text : t.muted,
                std::to_string(what.line), Align::kRight);
    }
    draw_cells(view, list, cells, top + px(3), pitch - px(6), s.mask, s.live, here ? 1.0f : 0.75f);
    float x = text_left;
    if (s.flags & (emulator::kStepDiverges | emulator::kStepReconverges)) {
      const bool diverges = s.flags & emulator::kStepDiverges;
      const char* word = diverges ? tr("splits") : tr("meets");
      draw_text(list, {x, y}, f.medium, 12, diverges ? t.poor : t.good, word);
      x += text_size(f.medium, 12, word).x + px(8);
    }
    draw_text_cut(list, {x, y}, f.code, 12, here ? t.text : t.muted, what.text,
                  at.x + space.x - x - px(4));
  }
  list->PopClipRect();
  if (ImGui::IsItemHovered()) {
    const auto row = static_cast<int64_t>((ImGui::GetMousePos().y - at.y) / pitch);
    if (row >= 0 && row < shown && first + row < total) {
      const auto step = static_cast<size_t>(first + row);
      if (ImGui::IsMouseClicked(ImGuiMouseButton_Left)) queue.push(command::SeekFilm{step});
      const float x = ImGui::GetMousePos().x - cells.left;
      const int lane = x >= 0 && x < cells.pitch * 32 ? static_cast<int>(x / cells.pitch) : -1;
      queue.point_at({lane >= 0 ? uint32_t{1} << lane : 0, film.at(step).line});
      if (lane >= 0)
        tooltip(tr("Lane {}", lane), (film.steps[step].mask >> lane & 1)
                                         ? film.at(step).text
                                         : std::string(tr("Waits here.")));
      if (ImGui::GetMousePos().x > text_left)
        tooltip(film.at(step).text, lanes_text(film.steps[step].mask));
    }
    const float wheel = ImGui::GetIO().MouseWheel;
    if (wheel != 0) {
      const int64_t to = std::clamp<int64_t>(
          static_cast<int64_t>(view.film_step) -
              static_cast<int64_t>(std::copysign(std::ceil(std::abs(wheel)), wheel)),
          0, total - 1);
      if (to != static_cast<int64_t>(view.film_step))
        queue.push(command::SeekFilm{static_cast<size_t>(to)});
    }
  }
}

// Draws the reconvergence stack: parents above, with the paths that run or wait indented below
// them.
void stack(const View& view, ImVec2 space) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(list, at, f.medium, kLabel, t.muted, tr("Wait dependencies"));
  if (!view.film_state) return;
  float y = at.y + px(24);
  const uint32_t live = view.film_state->what.live;
  for (const emulator::ReplayPath& path : view.film_state->paths) {
    const float height = px(40);
    if (y + height > at.y + space.y) {
      draw_text(list, {at.x, y}, f.regular, kSmall, t.muted, tr("more below"));
      break;
    }
    const bool runs = path.waits == emulator::ReplayPath::Waits::kNothing;
    const float indent = px(14) * static_cast<float>(std::min(path.depth, 6));
    Cells cells;
    cells.left = at.x + indent;
    cells.pitch = std::max(px(2), (space.x - indent) / 32);
    cells.size = cells.pitch - std::max(1.0f, px(1));
    draw_cells(view, list, cells, y, px(8), path.mask, live, runs ? 1.0f : 0.6f);
    draw_text_cut(list, {cells.left, y + px(12)}, f.regular, kLabel, runs ? t.text : t.muted,
                  lanes_text(path.mask) + ": " + path_text(*view.film, path), space.x - indent);
    y += height;
  }
}

}  // namespace

void warp_panel(const View& view, WarpPanelState& state, CommandQueue& queue) {
  Panel panel("warp", tr("Warp"), ImGuiWindowFlags_NoNavInputs);
  state.visible = static_cast<bool>(panel);
  if (!panel) return;
  if (!view.film || view.film->steps.empty() || view.film_step >= view.film->steps.size()) {
    panel.header(tr("Warp"));
    const bool any = view.result() && view.result()->student() && view.result()->student()->films;
    empty_panel(view.film_opening ? tr("The warp is being played again…")
                : any             ? tr("This kernel executed nothing that can be played again.")
                      : tr("Run the kernel to play one of its warps, instruction by instruction."));
    return;
  }
  const lab::FilmScript& film = *view.film;
  const ReplayStep& step = film.steps[view.film_step];
  const Dim3& grid = view.result()->student()->grid;
  const Dim3 at = index_in(grid, film.block);
  const std::string block = std::to_string(at.x) + "," + std::to_string(at.y) +
                            (grid.z > 1 ? "," + std::to_string(at.z) : "");
  const std::string place =
      tr("block ({}) · warp {}", block, film.warp) + " · " +
      tr("step {} of {}", with_separators(view.film_step + 1), with_separators(film.steps.size())) +
      (film.truncated ? "+" : "");
  panel.header(tr("Warp"), place);
  Greyed grey(view.stale);
  const int active = std::popcount(step.mask), live = std::popcount(step.live);
  const lab::FilmInstruction& what = film.at(view.film_step);
  headline(std::to_string(active), active == live,
           what.line > 0
               ? tr(active == 1 ? tr_later("lane runs line {}") : tr_later("lanes run line {}"),
                    what.line)
               : std::string(active == 1 ? tr("lane runs this instruction")
                                         : tr("lanes run this instruction")),
           tr("of {}", live) + " · " + what.text, lab::Provenance::kSimulated, metric::kLanes);
  controls(view, queue);
  strip(view, queue);
  export_menu(
      tr("Warp"), [&film] { return film_csv(film); }, queue);
  // Keep at least a few rows; a lower panel scrolls.
  const ImVec2 room = ImGui::GetContentRegionAvail();
  const ImVec2 space{room.x, std::max(room.y, px(19) * 5)};
  const bool beside = space.x > px(560);
  const float stack_width = beside ? space.x * 0.33f : 0;
  const ImVec2 start = ImGui::GetCursorScreenPos();
  // Not even one row is in sight: the panel follows the steps.
  if (state.step != view.film_step && room.y < px(19))
    ImGui::SetScrollFromPosY(start.y + px(19) - ImGui::GetWindowPos().y, 1);
  state.step = view.film_step;
  rows(view, {space.x - stack_width - (beside ? px(16) : 0), space.y}, room.y, queue);
  if (beside) {
    ImGui::SetCursorScreenPos({start.x + space.x - stack_width, start.y});
    stack(view, {stack_width, space.y});
  }
}

}  // namespace warpshop::ui
