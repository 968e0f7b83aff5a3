#include "panels/correctness_panel.h"

#include <algorithm>
#include <cmath>

#include "format.h"
#include "widgets.h"

namespace warpshop::ui {
namespace {

// "[row 3, column 17]" or "[1025]".
std::string place_of(uint64_t index, const lab::BufferComparison& c) {
  if (c.width == 0 || c.width >= c.count) return "[" + with_separators(index) + "]";
  return "row " + with_separators(index / c.width) + ", column " + with_separators(index % c.width);
}

void draw_tiles(const TileMap& map, const lab::BufferComparison& comparison, ImVec2 space) {
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float side = std::max(
      1.0f, std::min(space.x / static_cast<float>(map.columns), space.y / static_cast<float>(map.rows)));
  // Tiles keep the shape of their elements where that fits, and fill the width where it does not.
  const float tile_w = std::min(space.x / static_cast<float>(map.columns), side * 1.6f);
  const float tile_h = std::min(side, px(28));
  const ImVec2 size{tile_w * static_cast<float>(map.columns), tile_h * static_cast<float>(map.rows)};
  ImGui::InvisibleButton("tiles", {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  const bool hovered = ImGui::IsItemHovered();
  const float inset = tile_w > px(5) ? std::max(1.0f, px(1)) : 0;
  const ImU32 right_color = mix(t.panel, t.good, t.dark ? 0.34f : 0.30f);
  if (comparison.wrong == 0 && inset == 0) {
    list->AddRectFilled(at, {at.x + size.x, at.y + size.y}, right_color, px(4));
  }
  for (int row = 0; row < map.rows; ++row) {
    for (int column = 0; column < map.columns; ++column) {
      const ImVec2 min{at.x + tile_w * static_cast<float>(column),
                       at.y + tile_h * static_cast<float>(row)};
      const ImVec2 max{min.x + tile_w - inset, min.y + tile_h - inset};
      const uint32_t wrong = map.wrong_at(column, row);
      if (wrong == 0) {
        if (inset > 0 || comparison.wrong > 0) list->AddRectFilled(min, max, right_color);
        continue;
      }
      const auto elements = static_cast<float>(std::max<uint64_t>(1, map.elements_at(column, row)));
      const float part = static_cast<float>(wrong) / elements;
      list->AddRectFilled(min, max, mix(right_color, t.poor, 0.45f + 0.4f * part));
    }
  }
  if (comparison.wrong > 0) {
    // Hatched besides: runs of wrong tiles in a row, drawn as one.
    for (int row = 0; row < map.rows; ++row) {
      for (int column = 0; column < map.columns; ++column) {
        if (map.wrong_at(column, row) == 0) continue;
        int end = column;
        while (end < map.columns && map.wrong_at(end, row) > 0) ++end;
        draw_hatch(list,
                   {at.x + tile_w * static_cast<float>(column), at.y + tile_h * static_cast<float>(row)},
                   {at.x + tile_w * static_cast<float>(end) - inset,
                    at.y + tile_h * static_cast<float>(row + 1) - inset},
                   with_alpha(t.panel, 0.55f), px(7), px(1.2f));
        column = end;
      }
    }
  }
  if (comparison.first) {
    const uint64_t index = comparison.first->index;
    const auto column = static_cast<float>(index % map.width / map.tile_width);
    const auto row = static_cast<float>(index / map.width / map.tile_height);
    const ImVec2 min{at.x + tile_w * column, at.y + tile_h * row};
    list->AddRect({min.x - px(2), min.y - px(2)}, {min.x + tile_w + px(1), min.y + tile_h + px(1)},
                  t.text, px(2), px(1.6f));
  }
  if (hovered) {
    const ImVec2 mouse = ImGui::GetMousePos();
    const int column = std::clamp(static_cast<int>((mouse.x - at.x) / tile_w), 0, map.columns - 1);
    const int row = std::clamp(static_cast<int>((mouse.y - at.y) / tile_h), 0, map.rows - 1);
    const uint64_t elements = map.elements_at(column, row);
    const uint64_t first = static_cast<uint64_t>(row) * map.tile_height * map.width +
                           static_cast<uint64_t>(column) * map.tile_width;
    tooltip(map.tile_width * map.tile_height == 1 ? "Element " + place_of(first, comparison)
                                                  : "Elements from " + place_of(first, comparison),
            map.wrong_at(column, row) == 0
                ? "All " + with_separators(elements) + " right"
                : with_separators(map.wrong_at(column, row)) + " of " + with_separators(elements) +
                      " wrong");
  }
}

// Expected and got of the first wrong element, side by side.
void first_mismatch(const lab::BufferComparison& c) {
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = px(40);
  list->AddRectFilled(at, {at.x + width, at.y + height}, look()->raised, px(8));
  const float y = at.y + (height - line_height(f.regular, kLabel)) / 2;
  const float left = at.x + px(12), right = at.x + width - px(12);
  const std::string where = c.buffer + " " + place_of(c.first->index, c);
  const std::string expected = "expected " + c.first->expected_text;
  const std::string got = "got " + c.first->got_text;
  const float got_width = text_size(f.medium, kLabel, got).x;
  draw_text(list, {right, y}, f.medium, kLabel, look()->poor, got, Align::kRight);
  const float expected_right = right - got_width - px(18);
  const float expected_width = text_size(f.regular, kLabel, expected).x;
  const bool fits = expected_right - expected_width > left + px(90);
  if (fits) {
    draw_text(list, {expected_right, y}, f.regular, kLabel, look()->text, expected, Align::kRight);
  }
  draw_text_cut(list, {left, y}, f.regular, kLabel, look()->muted, "first: " + where,
                (fits ? expected_right - expected_width : expected_right) - left - px(12));
  ImGui::Dummy({width, height});
  if (ImGui::IsItemHovered()) {
    tooltip("The first wrong element", where, expected + "\n" + got);
  }
}

// A mark and a label for each problem size.
void size_marks(const lab::RunResult& result) {
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), height = px(20);
  float x = at.x;
  for (const lab::SizeResult& size : result.sizes) {
    const float text = text_size(f.regular, kLabel, size.size.label).x;
    if (x + px(20) + text > at.x + width) break;
    const ImVec2 mark{x + px(6), at.y + height / 2};
    if (size.correct) {
      draw_check(list, mark, px(10), look()->good, px(1.8f));
    } else {
      draw_cross(list, mark, px(10), look()->poor, px(1.8f));
    }
    draw_text(list, {x + px(18), at.y + (height - line_height(f.regular, kLabel)) / 2}, f.regular,
              kLabel, size.correct ? look()->body : look()->poor, size.size.label);
    x += px(20) + text + px(18);
  }
  ImGui::Dummy({width, height});
}

}  // namespace

void correctness_panel(const View& view, CorrectnessPanelState& state, CommandQueue&) {
  Panel panel("result", "Result");
  if (!panel) return;
  const lab::RunResult* result = view.result();
  const lab::SizeResult* size = result && !result->sizes.empty() ? &result->sizes.front() : nullptr;
  const bool compared = size && !size->outputs.empty();
  panel.header("Result", compared ? "compared with the reference · " + size->size.label : "");
  if (!compared) {
    std::string help;
    if (size && !size->problems.empty()) help = size->problems.front().message;
    empty_panel(result ? "There is no result to compare." : "Run the kernel to see if it is right.",
                help);
    return;
  }
  Greyed grey(view.stale);
  const int outputs = static_cast<int>(size->outputs.size());
  state.output = std::clamp(state.output, 0, outputs - 1);
  // The first output that is wrong, unless the student has chosen another.
  if (outputs > 1) {
    for (int i = 0; i < outputs; ++i) {
      if (i > 0) ImGui::SameLine();
      const lab::BufferComparison& c = size->outputs[static_cast<size_t>(i)];
      if (button((c.buffer + "##output").c_str(),
                 i == state.output ? ButtonKind::kSelected : ButtonKind::kQuiet, {0, 0}, kLabel)) {
        state.output = i;
      }
    }
  }
  const lab::BufferComparison& c = size->outputs[static_cast<size_t>(state.output)];
  headline(with_separators(c.wrong), c.wrong == 0,
           c.wrong == 1 ? "wrong element" : "wrong elements",
           "of " + with_separators(c.count) + " in " + c.buffer +
               (c.wrong > 0 && c.max_abs_error > 0
                    ? " · largest error " + fraction_text(c.max_abs_error)
                    : ""),
           lab::Provenance::kSimulated);
  gap(4);
  const float below = px(28) + (c.first ? px(48) : 0);
  ImVec2 space = ImGui::GetContentRegionAvail();
  space.y = std::max(px(40), space.y - below);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const TileMap& map = view.prepared->tiles[static_cast<size_t>(state.output)];
  if (map.columns > 0) draw_tiles(map, c, space);
  ImGui::SetCursorScreenPos({at.x, at.y + space.y + px(8)});
  if (c.first) first_mismatch(c);
  size_marks(*result);
}

}  // namespace warpshop::ui
