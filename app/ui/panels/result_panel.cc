#include "panels/result_panel.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "core/grouped.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

// "row 3, column 17" or "[1025]"
std::string place_of(uint64_t index, const lab::BufferComparison& c) {
  if (!c.has_rows) return "[" + with_separators(index) + "]";
  return tr("row {}, column {}", with_separators(index / c.width),
            with_separators(index % c.width));
}

// Three significant digits: an error may be far below one and still as large as the value.
std::string largest_error_text(double value) {
  if (value >= 1) return fraction_text(value);
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return local_number(text);
}

// Returns the first wrong element of a tile.
std::optional<uint64_t> first_wrong(const TileMap& map, const lab::BufferComparison& comparison,
                                    int column, int row) {
  if (map.wrong_at(column, row) == 0) return std::nullopt;
  for (uint64_t y = 0; y < map.tile_height; ++y) {
    for (uint64_t x = 0; x < map.tile_width; ++x) {
      const uint64_t at_x = static_cast<uint64_t>(column) * map.tile_width + x,
                     at_y = static_cast<uint64_t>(row) * map.tile_height + y;
      const uint64_t element = at_y * map.width + at_x;
      if (at_x < map.width && element < comparison.count &&
          (comparison.wrong_bits[element / 8] >> (element % 8) & 1))
        return element;
    }
  }
  return std::nullopt;
}

// Draws the output with its own aspect ratio, limited to 2:1. Returns the size drawn.
ImVec2 draw_tiles(const TileMap& map, const lab::BufferComparison& comparison, bool playable,
                  ImVec2 space, CommandQueue& queue) {
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const auto columns = static_cast<float>(map.columns), rows = static_cast<float>(map.rows);
  const float shape =
      std::clamp(static_cast<float>(map.width) / static_cast<float>(map.height), 0.5f, 2.5f);
  ImVec2 size{space.x, space.x / shape};
  if (size.y > space.y) size = {space.y * shape, space.y};
  const float tile_w = size.x / columns, tile_h = size.y / rows;
  ImGui::InvisibleButton("tiles", {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  const ImU32 right_color = mix(t.panel, t.good, t.dark ? 0.30f : 0.26f);
  list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, right_color, px(4));
  auto corner = [&](int column, int row) {
    return ImVec2{at.x + tile_w * static_cast<float>(column),
                  at.y + tile_h * static_cast<float>(row)};
  };
  for (int row = 0; row < map.rows; ++row) {
    for (int column = 0; column < map.columns; ++column) {
      const uint32_t wrong = map.wrong_at(column, row);
      if (wrong == 0) continue;
      const auto elements = static_cast<float>(std::max<uint64_t>(1, map.elements_at(column, row)));
      const float part = static_cast<float>(wrong) / elements;
      list->AddRectFilled(corner(column, row), corner(column + 1, row + 1),
                          mix(right_color, t.poor, 0.5f + 0.4f * part));
    }
  }
  // Also hatch runs of adjacent wrong tiles, each drawn as one.
  for (int row = 0; comparison.wrong > 0 && row < map.rows; ++row) {
    for (int column = 0; column < map.columns; ++column) {
      if (map.wrong_at(column, row) == 0) continue;
      int end = column;
      while (end < map.columns && map.wrong_at(end, row) > 0) ++end;
      draw_hatch(list, corner(column, row), corner(end, row + 1), with_alpha(t.panel, 0.5f), px(7),
                 px(1.2f));
      column = end;
    }
  }
  // A grid, if the tiles are large enough to tell apart; faint if nothing is wrong.
  if (std::min(tile_w, tile_h) >= px(5)) {
    const ImU32 grid = with_alpha(t.panel, comparison.wrong > 0 ? 0.7f : 0.3f);
    for (int column = 1; column < map.columns; ++column) {
      const float x = std::round(corner(column, 0).x);
      list->AddLine({x, at.y}, {x, at.y + size.y}, grid);
    }
    for (int row = 1; row < map.rows; ++row) {
      const float y = std::round(corner(0, row).y);
      list->AddLine({at.x, y}, {at.x + size.x, y}, grid);
    }
  }
  if (comparison.first) {
    const uint64_t index = comparison.first->index;
    const ImVec2 min = corner(static_cast<int>(index % map.width / map.tile_width),
                              static_cast<int>(index / map.width / map.tile_height));
    list->AddRect({min.x - px(2), min.y - px(2)}, {min.x + tile_w + px(2), min.y + tile_h + px(2)},
                  t.text, px(2), px(1.6f));
  }
  if (ImGui::IsItemHovered()) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const int column = std::clamp(static_cast<int>((mouse.x - at.x) / tile_w), 0, map.columns - 1);
    const int row = std::clamp(static_cast<int>((mouse.y - at.y) / tile_h), 0, map.rows - 1);
    const uint64_t elements = map.elements_at(column, row);
    const uint64_t first = static_cast<uint64_t>(row) * map.tile_height * map.width +
                           static_cast<uint64_t>(column) * map.tile_width;
    const uint64_t element = first_wrong(map, comparison, column, row).value_or(first);
    tooltip(map.tile_width * map.tile_height == 1
                ? tr("Element {}", place_of(first, comparison))
                : tr("Elements from {}", place_of(first, comparison)),
            map.wrong_at(column, row) == 0
                ? tr("All {} right", with_separators(elements))
                : tr("{} of {} wrong", with_separators(map.wrong_at(column, row)),
                     with_separators(elements)),
            playable ? tr("A click plays the thread that wrote {}.", place_of(element, comparison))
                     : "");
    if (playable) ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
    if (playable && ImGui::IsItemClicked())
      queue.push(command::FilmOfElement{comparison.buffer, element});
  }
  return size;
}

// 10^power as a percentage, that is 10^(power + 2): "0.001", "10".
std::string percent_bound(int power) {
  const int zeros = power + 2;
  if (zeros >= 0)
    return with_separators(static_cast<uint64_t>(std::llround(std::pow(10.0, zeros))));
  return local_number("0." + std::string(static_cast<size_t>(-zeros - 1), '0') + "1");
}

bool writes_memory(const lab::KernelRun& run) {
  const timing::Counters& n = run.counters;
  return n.global_store_requests + n.global_atomic_requests + n.global_reduction_requests +
             run.instructions.async_copy_instructions >
         0;
}

// Draws a fact beside the picture: a muted name with its value below.
void fact(std::string_view name, std::string_view value, ImU32 color) {
  label(look().fonts->regular, 12, look()->muted, name);
  paragraph(look().fonts->medium, kBody, color, value);
  gap(4);
}

// `stores`: the kernel has written to global memory at all. If it has not, what a filled output
// holds is not the kernel's.
void first_mismatch(const lab::BufferComparison& c, bool stores, bool playable,
                    CommandQueue& queue) {
  // The wording of lab::compare_buffers().
  constexpr const char* kNeverWritten = tr_later("never written");
  const bool written = stores && c.first->got_text != kNeverWritten;
  fact(tr("First wrong element"), c.buffer + " " + place_of(c.first->index, c), look()->text);
  fact(tr("Expected"), local_number(grouped(c.first->expected_text)), look()->text);
  fact(tr("Got"),
       written ? local_number(grouped(c.first->got_text)) : std::string(tr(kNeverWritten)),
       look()->poor);
  if (playable && written) {
    if (link(tr_id("Play the thread that wrote it", "writer"), kLabel))
      queue.push(command::FilmOfElement{c.buffer, c.first->index});
    gap(4);
  }
}

// "1–10%": the errors in one decade, relative to the expected values.
std::string decade_text(size_t decade) {
  // The decade ends at 10^power.
  const int power = lab::ErrorHistogram::kFirstPower + static_cast<int>(decade);
  const auto bound = [](int p) { return percent_bound(p); };
  if (decade == 0) return tr("below {}%", bound(power));
  if (decade + 1 == lab::ErrorHistogram::kDecades) return tr("{}% and more", bound(power - 1));
  return tr("{}–{}%", bound(power - 1), bound(power));
}

// Shows how far off the wrong elements are: one bar per non-empty power of ten.
void histogram(const lab::ErrorHistogram& errors) {
  struct Row {
    std::string text;
    uint64_t count;
  };
  std::vector<Row> rows;
  for (size_t d = 0; d < errors.decades.size(); ++d) {
    if (errors.decades[d] > 0) rows.push_back({decade_text(d), errors.decades[d]});
  }
  if (errors.no_number > 0) rows.push_back({tr("no number"), errors.no_number});
  if (errors.never_written > 0) rows.push_back({tr("never written"), errors.never_written});
  uint64_t most = 1;
  const Fonts& f = *look().fonts;
  float names = 0, counts = 0;
  for (const Row& row : rows) {
    most = std::max(most, row.count);
    names = std::max(names, text_size(f.regular, 12, row.text).x);
    counts = std::max(counts, text_size(f.regular, 12, with_separators(row.count)).x);
  }
  const ImVec2 begin = ImGui::GetCursorScreenPos();
  label(f.regular, 12, look()->muted, tr("How far off"));
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float width = content_width(), height = px(18);
  const float left = names + px(8), room = width - left - counts - px(8);
  for (const Row& row : rows) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float y = at.y + (height - line_height(f.regular, 12)) / 2;
    {
      const ScaleMarks marks;
      draw_text(list, {at.x, y}, f.regular, 12, look()->body, row.text);
    }
    if (room > px(8)) {
      const float bar =
          std::max(px(2), room * static_cast<float>(row.count) / static_cast<float>(most));
      draw_bar(list, {at.x + left, at.y + px(4)}, {at.x + left + bar, at.y + height - px(4)},
               look()->poor, true, px(2));
    }
    draw_text(list, {at.x + width, y}, f.regular, 12, look()->poor, with_separators(row.count),
              Align::kRight);
    ImGui::Dummy({width, height});
  }
  metric_area(begin, {begin.x + width, ImGui::GetCursorScreenPos().y}, metric::kErrorSize);
  gap(4);
}

// Draws a mark and a label per problem size.
void size_marks(const lab::RunResult& result) {
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  label(f.regular, 12, look()->muted, tr("Sizes"));
  for (const lab::SizeResult& size : result.sizes) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = content_width(), height = px(20);
    const ImVec2 mark{at.x + px(6), at.y + height / 2};
    if (size.correct) {
      draw_check(list, mark, px(10), look()->good, px(1.8f));
    } else {
      draw_cross(list, mark, px(10), look()->poor, px(1.8f));
    }
    draw_text_cut(list, {at.x + px(20), at.y + (height - line_height(f.regular, kLabel)) / 2},
                  f.regular, kLabel, size.correct ? look()->body : look()->poor, size.size.label,
                  width - px(20));
    ImGui::Dummy({width, height});
  }
}

}  // namespace

void result_panel(const View& view, ResultPanelState& state, CommandQueue& queue) {
  Panel panel("result", tr("Result"));
  if (!panel) return;
  const lab::RunResult* result = view.result();
  const lab::SizeResult* size = result && !result->sizes.empty() ? &result->sizes.front() : nullptr;
  const bool compared = size && !size->outputs.empty();
  panel.header(tr("Result"), compared ? tr("at {}", size->size.label) : "");
  if (!compared) {
    std::string help;
    if (size && !size->problems.empty()) help = tr(size->problems.front().message);
    empty_panel(!view.exercise()         ? tr("Nothing runs in this step.")
                : result                 ? tr("There is no result to compare.")
                : view.did_not_compile() ? tr("The kernel has not run: see Findings.")
                                         : tr("Run the kernel to see if it is right."),
                help);
    return;
  }
  Greyed grey(view.stale);
  const int outputs = static_cast<int>(size->outputs.size());
  state.output = std::clamp(state.output, 0, outputs - 1);
  // Show the first wrong output unless the student has chosen another.
  if (outputs > 1) {
    for (int i = 0; i < outputs; ++i) {
      if (i > 0) ImGui::SameLine();
      const lab::BufferComparison& c = size->outputs[static_cast<size_t>(i)];
      if (button(c.buffer + "##output",
                 i == state.output ? ButtonKind::kSelected : ButtonKind::kQuiet, {0, 0}, kLabel)) {
        state.output = i;
      }
    }
  }
  const lab::BufferComparison& c = size->outputs[static_cast<size_t>(state.output)];
  headline(with_separators(c.wrong), c.wrong == 0,
           c.wrong == 1 ? tr("wrong element") : tr("wrong elements"),
           tr("of {} in {}", with_separators(c.count), c.buffer) +
               (c.wrong > 0 && c.max_abs_error > 0
                    ? " · " + tr("largest error {}", largest_error_text(c.max_abs_error))
                    : ""),
           lab::Provenance::kSimulated, metric::kWrongElements);
  export_menu(
      tr("Result"), [&] { return errors_csv(*size); }, queue);
  gap(2);
  // The picture on the left, the facts in words on its right.
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const float facts = std::min(space.x * 0.42f, px(240));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const TileMap& map = view.prepared->tiles[static_cast<size_t>(state.output)];
  float picture = 0;
  const bool stores = writes_memory(*result->student());
  const bool playable =
      !view.stale && !view.lecture && stores && result->student()->films != nullptr;
  if (map.columns > 0)
    picture = draw_tiles(map, c, playable, {space.x - facts - px(20), space.y}, queue).x;
  ImGui::SetCursorScreenPos({at.x + picture + px(20), at.y});
  ImGui::BeginChild("facts", {space.x - picture - px(20), space.y}, ImGuiChildFlags_NavFlattened);
  {
    Greyed grey_facts(view.stale);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, px(4, 2));
    if (c.first) first_mismatch(c, stores, playable, queue);
    if (c.wrong > 0) histogram(c.errors);
    size_marks(*result);
    ImGui::PopStyleVar();
  }
  ImGui::EndChild();
}

}  // namespace warpshop::ui
