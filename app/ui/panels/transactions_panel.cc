#include "panels/transactions_panel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "app/actions.h"
#include "draw/widgets.h"
#include "lab/access_cost.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/linked.h"
#include "panels/model_note.h"
#include "panels/scrubber.h"
#include "state/wrap_index.h"
#include "text/film_text.h"
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

using Hover = MapHover;

// A single word needs its whole 32-byte sector: nothing smaller can be moved, so it wastes nothing.
bool wastes(const CoalescerMap& map) {
  return map.result.counts.sectors > map.result.counts.ideal_sectors;
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
    const bool waste = wastes(map);
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
        text = piece.times > 1 ? std::to_string(piece.times) + " ×"
                               : tr("{} of {}", used, piece.bytes);
        size = text_size(face, kSmall, text);
      }
      const float top = tops[r] + frame.row_height + px(5);
      // Links to lower rows pass behind the text.
      list->AddRectFilled({middle - size.x / 2 - px(3), top - px(1)},
                          {middle + size.x / 2 + px(3), top + size.y + px(1)}, look()->panel);
      draw_text(list, {middle, top}, face, kSmall,
                piece.times > 1 || (used < static_cast<int>(piece.bytes) && wastes(map))
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
    const std::string all = hex_address(map.rows[0].address);
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

Hover find_hover(const CoalescerMap& map, const CoalescerFrame& frame,
                 const std::vector<float>& tops) {
  Hover hover;
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

void hover_tooltip(const View& view, const CoalescerMap& map, const Hover& hover) {
  if (hover.lane >= 0) {
    const timing::RecordedAccess& record = *view.record();
    const auto lane = static_cast<size_t>(hover.lane);
    if (!(record.access.active_mask >> hover.lane & 1)) {
      tooltip(tr("Lane {}", hover.lane), tr("Takes no part in this access."));
      return;
    }
    const models::WarpRequest request = request_of(*view.result()->student(), *view.access());
    const lab::KernelRun& run = *view.result()->student();
    const uint64_t thread = uint64_t{record.warp.warp} * 32 + static_cast<uint64_t>(hover.lane);
    const uint64_t tx = thread % run.block.x, ty = thread / run.block.x % run.block.y,
                   tz = thread / (uint64_t{run.block.x} * run.block.y);
    const std::string who = tr("Thread ({}, {}, {})", tx, ty, tz);
    uint32_t same = 0;
    for (size_t other = 0; other < models::kLanes; ++other) {
      same |= static_cast<uint32_t>((request.active_mask >> other & 1) &&
                                    request.address[other] == request.address[lane])
              << other;
    }
    const bool word = hover.row >= 0 && std::has_single_bit(same) == false;
    tooltip(tr("Lane {}", hover.lane),
            who + "\n" +
                tr("{} at {}", bytes_text(request.width_bytes), hex_address(request.address[lane])),
            word
                ? tr("Asked for by {} lanes, moved once: {}", std::popcount(same), lanes_text(same))
                : std::string());
    return;
  }
  if (hover.row < 0) return;
  const uint64_t address =
      map.rows[static_cast<size_t>(hover.row)].address + static_cast<uint64_t>(hover.sector) * 32;
  for (const models::SectorUse& sector : map.result.sectors) {
    if (sector.address != address) continue;
    const auto used = static_cast<uint64_t>(std::popcount(sector.used_mask));
    const auto lanes = static_cast<uint64_t>(std::popcount(sector.lanes));
    tooltip(
        tr("Sector {}", hex_address(address)),
        tr_count(lanes, "{1} of 32 bytes asked for, by one lane",
                 "{1} of 32 bytes asked for, by {0} lanes", used),
        used == 32 || wastes(map)
            ? ""
            : tr("A sector is the least that moves: no access of these bytes would move less."));
    return;
  }
  tooltip(tr("Sector {}", hex_address(address)), tr("Not touched by this access."));
}

}  // namespace

void transaction_headline(const CoalescerMap& map, emulator::AccessKind kind) {
  const models::CoalescerCounts& counts = map.result.counts;
  const bool good = counts.sectors <= counts.ideal_sectors;
  const std::string what =
      tr(counts.sectors == 1 ? tr_later("sector for one {}") : tr_later("sectors for one {}"),
         access_word(kind));
  const std::string ideal =
      tr("ideal {} · {} bytes moved, {} used", counts.ideal_sectors,
         with_separators(counts.bytes_moved()), with_separators(counts.bytes_used));
  if (map.generation) {
    const models::TransactionCounts& moved = map.generation->counts;
    const models::CoalescingWords words = models::words_of(map.generation->rule);
    headline(
        std::to_string(moved.transactions), moved.bytes_moved <= moved.ideal_bytes,
        tr("{} for one {}", tr(moved.transactions == 1 ? words.transaction : words.transactions),
           access_word(kind)) +
            " · " + std::string(tr(words.generation)),
        tr("{} bytes moved, ideal {} · {} used", with_separators(moved.bytes_moved),
           with_separators(moved.ideal_bytes), with_separators(moved.bytes_used)),
        lab::Provenance::kSimulated, transactions_metric(map.generation->rule));
  } else {
    headline(std::to_string(counts.sectors), good, what, ideal, lab::Provenance::kSimulated,
             metric::kSectors);
  }
}

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
  Hover hover = find_hover(map, frame, tops);
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

namespace {

std::vector<Move> moves_of(const CoalescerMap& map) {
  std::vector<Move> out;
  if (map.generation) {
    for (const models::Transaction& t : map.generation->transactions) {
      const int replay = map.generation->counts.replays > 0 ? t.replay : -1;
      out.push_back({t.address, t.bytes, t.lanes,
                     std::popcount(t.used[0]) + std::popcount(t.used[1]), replay});
    }
  } else {
    for (const models::SectorUse& s : map.result.sectors)
      out.push_back({s.address, 32, s.lanes, std::popcount(s.used_mask), -1});
  }
  return out;
}

// "3 of 32 · 32 bytes at 0x7f…, 4 used · lane 2"
std::string text_of(const Move& move, size_t number, size_t count) {
  std::string text = tr("{} of {} · {} bytes at {}, {} used", number + 1, count, move.bytes,
                        hex_address(move.address), move.used) +
                     " · " + lanes_text(move.lanes);
  if (move.replay >= 0) text += " · " + tr("replay {}", move.replay);
  return text;
}

}  // namespace

bool move_focus(TransactionsPanelState& state, int by) {
  const size_t all = state.moves.size();  // one past the last means: show all
  if (all == 0) return false;
  const size_t next = wrap_index(state.hand.value_or(all), by, all + 1);
  state.hand = next == all ? std::nullopt : std::optional<size_t>(next);
  return true;
}

constexpr float kLeastMap = 90;  // pixels of height; in a lower panel it scrolls

void transactions_panel(const View& all, TransactionsPanelState& state, CommandQueue& queue) {
  Panel panel("transactions", tr("Transactions"), ImGuiWindowFlags_NoNavInputs);
  if (!panel) return;
  const View view = all.of_memory(false);
  const AccessEntry* entry = view.access();
  panel.header(tr("Transactions"), entry && !entry->shared ? access_place(view) : "");
  if (!entry || entry->shared) {
    const bool none = view.prepared && view.result()->student() && !entry;
    empty_panel(!view.exercise() ? tr("Nothing runs in this step.")
                : entry          ? tr("This access goes to shared memory: see Banks.")
                : none && !view.result()->student()->completed
                    ? tr("The kernel did not end, and accessed no memory until then: see Findings.")
                : none ? tr("The kernel made no access to memory that could be drawn.")
                : view.did_not_compile()
                    ? tr("The kernel has not run: see Findings.")
                    : tr("Run the kernel to see what each warp asks of memory."));
    state.map.reset();
    state.moves.clear();
    return;
  }
  if (state.of != view.prepared || state.entry != *view.selected || !state.map) {
    state.of = view.prepared;
    state.entry = *view.selected;
    const lab::KernelRun& run = *view.result()->student();
    const models::WarpRequest request = request_of(run, *entry);
    state.map = map_transactions(
        request, lab::transactions_of(view.result()->gpu, site_of(run, *entry), request));
    state.moves = moves_of(*state.map);
    state.advice = models::advise_index(request);
    state.hand.reset();
  }
  const CoalescerMap& map = *state.map;
  Greyed grey(view.stale);

  transaction_headline(map, entry->kind);

  export_menu(
      tr("Transactions"),
      [&] { return transactions_csv(request_of(*view.result()->student(), *entry), map); }, queue);
  const ImVec2 space = ImGui::GetContentRegionAvail();
  // The remark on the index goes below the map if the map keeps its shape or the panel scrolls
  // anyway; otherwise beside the link, truncated.
  const std::vector<Move>& moves = state.moves;
  const Move* alone = state.hand && *state.hand < moves.size() ? &moves[*state.hand] : nullptr;
  const std::string advice = alone          ? text_of(*alone, *state.hand, moves.size())
                             : view.lecture ? std::string()
                                            : tr(state.advice.text);
  const Face& face = look().fonts->regular;
  float advice_height = advice.empty() ? 0 : wrapped_height(face, kLabel, advice, space.x) + px(4);
  const float room_for_map = space.y - scrubber_height() - px(26);
  const bool low = room_for_map - advice_height < px(110) && room_for_map >= px(kLeastMap);
  if (low) advice_height = 0;
  const float link_height = px(view.lecture ? 6 : 26) + advice_height;
  const float map_height = std::max(px(kLeastMap), space.y - scrubber_height() - link_height);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const Hover hover = draw_transaction_map(
      map, {space.x, map_height}, ease(view.now_s - view.selected_at_s, 0.18f),
      alone ? Pointing{.lanes = alone->lanes, .address = alone->address, .bytes = alone->bytes}
            : view.pointing);
  if (hover.lane >= 0 || hover.row >= 0)
    point_and_jump(view, pointing_under(view, map, hover), queue);
  hover_tooltip(view, map, hover);

  // Place this below the map, which keeps its height if the panel is too low for both; the panel
  // then scrolls.
  const float below = std::max(at.y + space.y - scrubber_height(), at.y + map_height + link_height);
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float link_top = below - model_link_height() - px(2);
  if (advice_height > 0) {
    draw_text_wrapped(list, {at.x, link_top - advice_height + px(2)}, face, kLabel, look()->body,
                      advice, space.x);
  } else if (!advice.empty()) {
    const float room = space.x - model_link_width() - px(20);
    if (room > px(120))
      draw_text_cut(list, {at.x, link_top + px(4)}, face, kLabel, look()->body, advice, room);
  }
  ImGui::SetCursorScreenPos({at.x, link_top});
  if (!view.lecture) {
    // Only if the advice leaves room in this row.
    const bool room = (advice_height > 0 || advice.empty()) && moves.size() > 1 &&
                      space.x > model_link_width() + px(180);
    if (room) {
      if (link(tr_id("One at a time", "alone"), 12)) move_focus(state, 1);
      if (ImGui::IsItemHovered()) {
        tooltip(tr("One at a time"),
                tr("Shows the pieces of memory that move one by one, then all again."),
                tr("{} and {}", shortcut_of("next-moment"), shortcut_of("previous-moment")));
      }
      ImGui::SetCursorScreenPos({at.x, link_top});
    }
    model_link(models::ModelName::kCoalescingModel);
  }
  ImGui::SetCursorScreenPos({at.x, below});
  scrubber(all, queue);
}

}  // namespace warpshop::ui
