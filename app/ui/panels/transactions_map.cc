#include "panels/transactions_map.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "core/ascii.h"
#include "draw/draw.h"
#include "draw/tooltip.h"
#include "panels/linked.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// Layout of the map: 32 lanes above rows of 128 bytes, on a shared grid of 32 columns.
struct CoalescerFrame {
  ImVec2 origin;  // top left corner of the lanes
  float width = 0;
  float lane_pitch = 0, lane_size = 0, lane_height = 0;
  float rows_top = 0, row_pitch = 0, row_height = 0;
  bool gaps = false;  // leave room for the sizes of collapsed gaps
  float gap_height = 0;
  bool notes = false;  // leave room below each sector to say how much of it is used

  float lane_left(int lane) const { return origin.x + lane_pitch * static_cast<float>(lane); }
  float lane_middle(int lane) const { return lane_left(lane) + lane_size / 2; }
};

CoalescerFrame lay_out(const CoalescerMap& map, ImVec2 origin, ImVec2 size, float gutter) {
  CoalescerFrame f;
  f.origin = {origin.x + gutter, origin.y};
  f.width = size.x - gutter;
  f.lane_pitch = f.width / models::kLanes;
  f.lane_size = f.lane_pitch - std::max(1.0f, px(2));
  f.lane_height = std::clamp(size.y * 0.07f, px(12), px(20));
  const auto rows = static_cast<float>(std::max<size_t>(map.rows.size(), 1));
  const float below = size.y - f.lane_height;
  const bool few = map.rows.size() <= 3;
  const float links = std::clamp(below * (few ? 0.42f : 0.26f), px(28), px(few ? 190 : 84));
  f.rows_top = origin.y + f.lane_height + links;
  size_t gap_count = 0;
  for (const CoalescerMap::Row& row : map.rows) gap_count += row.gap_bytes > 0;
  const float space = below - links;
  const float gap_height = px(18), note_height = px(20);
  const auto gaps = static_cast<float>(gap_count);
  f.gaps = map.rows.size() <= 6 && space - gap_height * gaps > rows * px(20);
  if (f.gaps) f.gap_height = gap_height;
  f.notes = few && (space - f.gap_height * gaps) / rows > px(26) + note_height;
  f.row_pitch = std::min((space - f.gap_height * gaps) / rows, px(f.notes ? 104 : 46));
  const float between = f.notes                ? note_height + px(4)
                        : f.row_pitch > px(24) ? px(8)
                        : f.row_pitch > px(7)  ? px(2)
                                               : px(1);
  f.row_height = std::max(2.0f, f.row_pitch - between);
  return f;
}

std::vector<float> row_tops(const CoalescerMap& map, const CoalescerFrame& frame) {
  std::vector<float> tops;
  float y = frame.rows_top;
  for (const CoalescerMap::Row& row : map.rows) {
    if (frame.gaps && row.gap_bytes > 0) y += frame.gap_height;
    tops.push_back(std::round(y));
    y += frame.row_pitch;
  }
  return tops;
}

void draw_lanes(ImDrawList* list, const CoalescerMap& map, const CoalescerFrame& frame,
                uint32_t pointed) {
  const Theme& t = *look().theme;
  for (int lane = 0; lane < models::kLanes; ++lane) {
    const ImVec2 min{frame.lane_left(lane), frame.origin.y};
    const ImVec2 max{min.x + frame.lane_size, min.y + frame.lane_height};
    const bool active = map.target[static_cast<size_t>(lane)].row >= 0;
    if (active) {
      list->AddRectFilled(min, max, lane_color(lane), px(3));
      draw_lane_digits(list, min, max, lane);
    } else {
      list->AddRect(min, max, t.line, px(3));
    }
    if (pointed >> lane & 1) {
      list->AddRect({min.x - px(2), min.y - px(2)}, {max.x + px(2), max.y + px(2)}, t.text, px(4),
                    px(1.5f));
    }
  }
}

ImVec2 target_point(const CoalescerMap& map, const CoalescerFrame& frame,
                    const std::vector<float>& tops, int lane) {
  const CoalescerMap::Target& target = map.target[static_cast<size_t>(lane)];
  const float cell = frame.width / static_cast<float>(map.cells_per_row);
  const float middle =
      frame.origin.x +
      cell * (static_cast<float>(target.first_cell) + static_cast<float>(target.cell_count) / 2) -
      std::max(1.0f, px(2)) / 2;
  return {middle, tops[static_cast<size_t>(target.row)]};
}

// Draws each link as a curve to the top of the rows, then straight down through them.
void draw_links(ImDrawList* list, const CoalescerMap& map, const CoalescerFrame& frame,
                const std::vector<float>& tops, uint32_t pointed, float progress) {
  const bool many = map.rows.size() > 4;
  for (int lane = 0; lane < models::kLanes; ++lane) {
    if (map.target[static_cast<size_t>(lane)].row < 0) continue;
    const float start = static_cast<float>(lane) / models::kLanes * 0.5f;
    const float grown = std::clamp((progress - start) / 0.5f, 0.0f, 1.0f);
    if (grown <= 0) continue;
    const bool this_one = pointed >> lane & 1, other = pointed != 0 && !this_one;
    const float alpha = other ? 0.12f : this_one ? 1.0f : many ? 0.55f : 0.8f;
    const float thickness = this_one ? px(2.2f) : px(1.4f);
    const ImU32 color = with_alpha(lane_color(lane), alpha);
    const ImVec2 from{frame.lane_middle(lane), frame.origin.y + frame.lane_height + px(2)};
    const ImVec2 to = target_point(map, frame, tops, lane);
    draw_link(list, from, {to.x, frame.rows_top - px(2)}, color, thickness, grown);
    if (grown >= 1 && to.y > frame.rows_top + 1) {
      list->AddLine({to.x, frame.rows_top - px(2)}, {to.x, to.y}, with_alpha(color, 0.8f),
                    thickness);
    }
  }
}

// Frames each transaction that moves bytes of the row. Another transaction for the same bytes gets
// a second frame around the first.
void frame_transactions(ImDrawList* list, const CoalescerMap& map, const CoalescerMap::Row& row,
                        const CoalescerFrame& frame, float top) {
  const float byte = frame.width / 128, inset = std::max(1.0f, px(2));
  std::map<uint64_t, int> seen;
  for (const models::Transaction& t : map.generation->transactions) {
    if (t.address < row.address || t.address >= row.address + 128) continue;
    const int before = seen[t.address]++;
    if (before > 1) continue;
    const float out = px(1.5f) + px(2.5f) * static_cast<float>(before);
    const float left = frame.origin.x + byte * static_cast<float>(t.address - row.address);
    list->AddRect(
        {left - out, top - out},
        {left + byte * static_cast<float>(t.bytes) - inset + out, top + frame.row_height + out},
        look()->accent, px(4), px(1.4f));
  }
}

void draw_row(ImDrawList* list, const CoalescerMap& map, const CoalescerMap::Row& row,
              const CoalescerFrame& frame, float top, uint32_t pointed, const Pointing& pointing) {
  const Theme& t = *look().theme;
  const float inset = std::max(1.0f, px(2));
  const float bottom = top + frame.row_height;
  const float sector_width = frame.width / 4;
  const int cells = map.cells_per_row;
  const float cell = frame.width / static_cast<float>(cells);
  const bool tall = frame.row_height > px(10);
  // Small cells have square corners: the difference is invisible, and it saves a software renderer
  // work.
  const float rounding = tall ? px(3) : 0;

  for (int s = 0; s < 4; ++s) {
    const ImVec2 min{frame.origin.x + sector_width * static_cast<float>(s), top};
    if (!row.moved[static_cast<size_t>(s)]) {
      int end = s;
      while (end < 4 && !row.moved[static_cast<size_t>(end)]) ++end;
      if (tall) end = s + 1;
      const float right = frame.origin.x + sector_width * static_cast<float>(end) - inset;
      list->AddRectFilled(min, {right, bottom}, mix(t.panel, t.raised, 0.55f), rounding);
      s = end - 1;
      continue;
    }
    const ImVec2 max{min.x + sector_width - inset, bottom};
    // Bytes moved without being requested are waste if fewer sectors would have sufficed.
    const bool waste = map.wastes();
    const ImU32 moved =
        waste ? mix(t.panel, t.poor, t.dark ? 0.16f : 0.12f) : mix(t.panel, t.accent, 0.14f);
    list->AddRectFilled(min, max, moved, rounding);
    if (!waste) continue;
    const int first = s * cells / 4, last = (s + 1) * cells / 4;
    for (int c = first; c < last; ++c) {
      if (row.lane[static_cast<size_t>(c)] >= 0) continue;
      int end = c;
      while (end < last && row.lane[static_cast<size_t>(end)] < 0) ++end;
      const float x0 = frame.origin.x + cell * static_cast<float>(c);
      const float x1 = frame.origin.x + cell * static_cast<float>(end) - inset;
      draw_hatch(list, {x0, top}, {x1, bottom}, with_alpha(t.poor, t.dark ? 0.75f : 0.8f),
                 px(tall ? 6 : 5), px(1.3f));
      c = end;
    }
  }
  const float cell_inset = cell > px(6) ? inset : cell > px(3) ? 1.0f : 0.0f;
  for (int c = 0; c < cells; ++c) {
    const int lane = row.lane[static_cast<size_t>(c)];
    if (lane < 0) continue;
    const ImVec2 min{frame.origin.x + cell * static_cast<float>(c), top};
    const ImVec2 max{min.x + cell - cell_inset, bottom};
    const bool other = pointed != 0 && !(pointed >> lane & 1);
    const ImU32 color = lane_color(lane);
    list->AddRectFilled(min, max, other ? mix(t.panel, color, 0.35f) : color, rounding);
    const int lanes = row.lanes[static_cast<size_t>(c)];
    if (lanes > 1 && frame.row_height >= px(16) && cell >= px(14)) {
      const Face& face = look().fonts->medium;
      draw_text(list, {(min.x + max.x) / 2, (top + bottom - line_height(face, kSmall)) / 2}, face,
                kSmall, text_on(color), std::to_string(lanes), Align::kCenter);
      note_metric(min, max, metric::kLanesOfWord);
    } else if (lanes == 1 && !other) {
      draw_lane_digits(list, min, max, lane);
    }
  }
  if (tall && map.generation) {
    frame_transactions(list, map, row, frame, top);
  } else if (tall) {
    for (int s = 0; s < 4; ++s) {
      if (!row.moved[static_cast<size_t>(s)]) continue;
      const float x = frame.origin.x + sector_width * static_cast<float>(s);
      list->AddRect({x - px(1.5f), top - px(1.5f)},
                    {x + sector_width - inset + px(1.5f), bottom + px(1.5f)}, t.accent, px(4),
                    px(1.4f));
    }
  }
  for (int s = 0; s < 4 && pointing.bytes > 0; ++s) {
    if (!points_at(pointing, row.address + static_cast<uint64_t>(s) * 32, 32)) continue;
    const float x = frame.origin.x + sector_width * static_cast<float>(s);
    list->AddRect({x - px(1.5f), top - px(1.5f)},
                  {x + sector_width - inset + px(1.5f), bottom + px(1.5f)}, t.text, px(4),
                  px(1.8f));
  }
}

// A piece of memory moved as a unit, by address: a transaction, together with a second one for the
// same bytes, or a sector.
struct MovedPiece {
  uint32_t bytes = 0;
  std::array<uint64_t, 2> used{};
  int times = 1;
};

std::map<uint64_t, MovedPiece> pieces_of(const CoalescerMap& map) {
  std::map<uint64_t, MovedPiece> out;
  if (!map.generation) {
    for (const models::SectorUse& sector : map.result.sectors)
      out[sector.address] = {32, {sector.used_mask, 0}};
    return out;
  }
  for (const models::Transaction& t : map.generation->transactions) {
    const auto [at, fresh] = out.try_emplace(t.address);
    MovedPiece& piece = at->second;
    piece.times += !fresh;
    piece.bytes = std::max(piece.bytes, t.bytes);
    for (size_t half = 0; half < 2; ++half) piece.used[half] |= t.used[half];
  }
  return out;
}

// Writes "32 of 32 bytes" below each piece moved, or "16 × 32 bytes" if it is moved more than once.
void draw_notes(ImDrawList* list, const CoalescerMap& map, const CoalescerFrame& frame,
                const std::vector<float>& tops) {
  const Face& face = look().fonts->regular;
  for (const auto& [address, piece] : pieces_of(map)) {
    for (size_t r = 0; r < map.rows.size(); ++r) {
      const uint64_t offset = address - map.rows[r].address;
      if (address < map.rows[r].address || offset >= 128) continue;
      const int used = std::popcount(piece.used[0]) + std::popcount(piece.used[1]);
      const float wide = frame.width / 128 * static_cast<float>(piece.bytes);
      const float middle =
          frame.origin.x + frame.width / 128 * static_cast<float>(offset) + wide / 2;
      std::string text = piece.times > 1 ? tr("{} × {} bytes", piece.times, piece.bytes)
                                         : tr("{} of {} bytes", used, piece.bytes);
      ImVec2 size = text_size(face, kSmall, text);
      if (size.x > wide - px(8)) {
        text =
            piece.times > 1 ? std::to_string(piece.times) + "×" : tr("{} of {}", used, piece.bytes);
        size = text_size(face, kSmall, text);
      }
      const float top = tops[r] + frame.row_height + px(5);
      // Links to lower rows pass behind the text.
      list->AddRectFilled({middle - size.x / 2 - px(3), top - px(1)},
                          {middle + size.x / 2 + px(3), top + size.y + px(1)}, look()->panel);
      draw_text(list, {middle, top}, face, kSmall,
                piece.times > 1 || (used < static_cast<int>(piece.bytes) && map.wastes())
                    ? look()->poor
                    : look()->muted,
                text, Align::kCenter);
      note_metric({middle - size.x / 2, top}, {middle + size.x / 2, top + size.y},
                  metric::kSectorBytes);
    }
  }
}

// Labels the first row with its address, every other row with its offset from the first in bytes.
std::string row_label(const CoalescerMap& map, size_t row) {
  if (row == 0) {
    // Only its last digits: a lane's tooltip shows the whole address.
    const std::string all = hexadecimal(map.rows[0].address);
    return all.size() > 8 ? "…" + all.substr(all.size() - 5) : all;
  }
  return "+" + with_separators(map.rows[row].address - map.rows[0].address);
}

// Labels the rows at their left: all if there is room, otherwise every nth.
void draw_addresses(ImDrawList* list, const CoalescerMap& map, const CoalescerFrame& frame,
                    const std::vector<float>& tops) {
  const ScaleMarks marks;
  const Face& face = look().fonts->code;
  const float line = line_height(face, kSmall);
  const ImU32 color = look()->muted;
  float free_from = -1e9f;
  for (size_t r = 0; r < map.rows.size(); ++r) {
    const float y = tops[r] + (frame.row_height - line) / 2;
    if (frame.gaps && map.rows[r].gap_bytes > 0) {
      const std::string text = tr("{} untouched", bytes_text(map.rows[r].gap_bytes));
      const ImVec2 size = text_size(look().fonts->regular, kSmall, text);
      const ImVec2 middle{frame.origin.x + frame.width / 2, tops[r] - frame.gap_height - px(1)};
      // In front of the lanes' links.
      list->AddRectFilled({middle.x - size.x / 2 - px(5), middle.y},
                          {middle.x + size.x / 2 + px(5), middle.y + size.y}, look()->panel, px(3));
      draw_text(list, middle, look().fonts->regular, kSmall, color, text, Align::kCenter);
    }
    if (y < free_from) continue;
    draw_text(list, {frame.origin.x - px(8), y}, face, kSmall, color, row_label(map, r),
              Align::kRight);
    free_from = y + line + px(frame.row_pitch < line ? 4 : 0);
  }
}

MapHover find_hover(const CoalescerMap& map, const CoalescerFrame& frame,
                    const std::vector<float>& tops) {
  MapHover hover;
  if (!ImGui::IsItemHovered()) return hover;
  const ImVec2 mouse = ImGui::GetMousePos();
  const float x = mouse.x - frame.origin.x;
  if (x < 0 || x >= frame.width) return hover;
  if (mouse.y >= frame.origin.y && mouse.y < frame.origin.y + frame.lane_height) {
    hover.lane = std::min(static_cast<int>(x / frame.lane_pitch), models::kLanes - 1);
    return hover;
  }
  for (size_t r = 0; r < tops.size(); ++r) {
    if (mouse.y < tops[r] || mouse.y >= tops[r] + std::max(frame.row_height, frame.row_pitch)) {
      continue;
    }
    hover.row = static_cast<int>(r);
    hover.sector = std::min(static_cast<int>(x / (frame.width / 4)), 3);
    const int cell =
        std::min(static_cast<int>(x / (frame.width / static_cast<float>(map.cells_per_row))),
                 map.cells_per_row - 1);
    hover.lane = map.rows[r].lane[static_cast<size_t>(cell)];
    return hover;
  }
  return hover;
}

}  // namespace

uint32_t lanes_under(const CoalescerMap& map, const MapHover& hover) {
  if (hover.lane >= 0) return uint32_t{1} << hover.lane;
  if (hover.row < 0) return 0;
  const uint64_t address =
      map.rows[static_cast<size_t>(hover.row)].address + static_cast<uint64_t>(hover.sector) * 32;
  for (const models::SectorUse& sector : map.result.sectors) {
    if (sector.address == address) return sector.lanes;
  }
  return 0;
}

Pointing pointing_under(const View& view, const CoalescerMap& map, const MapHover& hover) {
  Pointing at{.lanes = lanes_under(map, hover), .line = view.access()->line};
  if (hover.row >= 0) {
    at.address =
        map.rows[static_cast<size_t>(hover.row)].address + static_cast<uint64_t>(hover.sector) * 32;
    at.bytes = 32;
  } else if (at.lanes != 0) {
    const models::WarpRequest request = request_of(*view.result()->student(), *view.access());
    if ((request.active_mask & at.lanes) == 0) return {};
    at.address = request.address[static_cast<size_t>(hover.lane)];
    at.bytes = request.width_bytes;
  }
  return at;
}

MapHover draw_transaction_map(const CoalescerMap& map, ImVec2 size, float progress,
                              const Pointing& pointing) {
  const Fonts& fonts = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();

  // Lane numbers.
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float gutter =
      std::max(text_size(fonts.code, kSmall, row_label(map, 0)).x,
               text_size(fonts.code, kSmall, row_label(map, map.rows.size() - 1)).x) +
      px(8);
  const float label_height = line_height(fonts.regular, kSmall);
  {
    const ScaleMarks marks;
    draw_text(list, {at.x + gutter, at.y}, fonts.regular, kSmall, look()->muted, tr("lane 0"));
    draw_text(list, {at.x + size.x - px(2), at.y}, fonts.regular, kSmall, look()->muted, "31",
              Align::kRight);
  }
  const ImVec2 origin{at.x, at.y + label_height + px(3)};
  const CoalescerFrame frame =
      lay_out(map, origin, {size.x, size.y - label_height - px(3)}, gutter);
  const std::vector<float> tops = row_tops(map, frame);

  ImGui::InvisibleButton("map", size);
  MapHover hover = find_hover(map, frame, tops);
  const uint32_t shown = pointing.lanes != 0 ? pointing.lanes : lanes_under(map, hover);
  draw_links(list, map, frame, tops, shown, progress);
  for (size_t r = 0; r < map.rows.size(); ++r) {
    draw_row(list, map, map.rows[r], frame, tops[r], shown, pointing);
  }
  draw_lanes(list, map, frame, shown);
  draw_addresses(list, map, frame, tops);
  if (frame.notes) draw_notes(list, map, frame, tops);
  return hover;
}

}  // namespace warpshop::ui
