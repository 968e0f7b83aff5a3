#include "panels/dram_panel.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/ascii.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "lab/access_cost.h"
#include "maps/csv_tables.h"
#include "maps/timeline_rows.h"
#include "panels/export_menu.h"
#include "panels/linked.h"
#include "panels/model_note.h"
#include "panels/moments.h"
#include "panels/scrubber.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

constexpr float kLeastTimed = 150;  // with less height, rows are not drawn over time

using models::BurstSection;
using models::RowState;
using models::ServedBurst;

std::string place_text(const models::DramPlace& place) {
  return tr("channel {}, bank {}, row {}", place.channel, place.bank, with_separators(place.row));
}

// Draws one burst: the bytes that lanes requested in blue, on a background of bytes moved in vain.
void draw_burst(ImDrawList* list, const BurstSection& section, uint32_t bytes, ImVec2 min,
                ImVec2 max) {
  const Theme& t = *look().theme;
  list->AddRectFilled(min, max, mix(t.panel, t.poor, t.dark ? 0.16f : 0.12f), px(3));
  const float pitch = (max.x - min.x) / static_cast<float>(bytes);
  const auto used = [&](uint32_t b) { return (section.used[b / 64] >> (b % 64) & 1) != 0; };
  for (uint32_t b = 0; b < bytes;) {
    uint32_t end = b;
    const bool is_used = used(b);
    while (end < bytes && used(end) == is_used) ++end;
    const float x0 = min.x + pitch * static_cast<float>(b),
                x1 = min.x + pitch * static_cast<float>(end);
    if (is_used) {
      list->AddRectFilled({x0, min.y}, {x1, max.y}, t.good, px(2));
    } else {
      draw_hatch(list, {x0, min.y}, {x1, max.y}, with_alpha(t.poor, 0.75f), px(6), px(1.3f));
    }
    b = end;
  }
}

struct BurstGrid {
  float columns = 1, pitch_y = 0;
  bool labels = true;
};

// Makes columns wide enough for a label below each burst. If that would be too high, drops the
// labels and narrows the columns.
BurstGrid grid_of(size_t bursts, ImVec2 size) {
  const auto count = static_cast<float>(bursts);
  BurstGrid grid{.columns = std::max(1.0f, std::floor(size.x / px(104)))};
  const auto rows = [&] { return std::ceil(count / grid.columns); };
  if (rows() * (px(24) + line_height(look().fonts->regular, kSmall)) > size.y) {
    grid.labels = false;
    grid.columns = std::max(grid.columns, std::floor(size.x / px(64)));
  }
  grid.columns = std::max(1.0f, std::min(grid.columns, count));
  grid.pitch_y = std::min(size.y / std::max(1.0f, rows()), px(grid.labels ? 42 : 22));
  return grid;
}

// Draws the bursts of the selected access, four to eight per line, each with its location below it
// if there is room.
void draw_bursts(const View& view, const models::BurstResult& result, ImVec2 at, ImVec2 size,
                 CommandQueue& queue) {
  const Fonts& f = *look().fonts;
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const float label = line_height(f.regular, kSmall);
  const auto [columns, pitch_y, labels] = grid_of(result.sections.size(), size);
  const float pitch_x = std::min(size.x / columns, px(190));
  const float height = std::max(px(3), pitch_y - (labels             ? label + px(8)
                                                  : pitch_y > px(10) ? px(5)
                                                                     : px(1)));
  for (size_t i = 0; i < result.sections.size(); ++i) {
    const BurstSection& section = result.sections[i];
    const float column = std::fmod(static_cast<float>(i), columns),
                row = std::floor(static_cast<float>(i) / columns);
    const ImVec2 min{at.x + pitch_x * column, at.y + pitch_y * row},
        max{min.x + pitch_x - px(8), min.y + height};
    draw_burst(list, section, result.burst_bytes, min, max);
    // Highlight what is pointed at elsewhere: its memory, or else a lane that requested it.
    const Pointing& p = view.pointing;
    const bool here = p.bytes > 0 ? points_at(p, section.address, result.burst_bytes)
                                  : (p.lanes & section.lanes) != 0;
    if (here) {
      list->AddRect({min.x - px(2), min.y - px(2)}, {max.x + px(2), max.y + px(2)}, t.text, px(4),
                    px(1.6f));
    } else if (p.bytes > 0 || p.lanes != 0) {
      list->AddRectFilled(min, max, with_alpha(t.panel, 0.6f), px(3));
    }
    if (labels) {
      const std::string text = tr("ch {} · bank {}", section.place.channel, section.place.bank);
      draw_text_cut(list, {min.x, max.y + px(2)}, f.regular, kSmall, t.muted, text, max.x - min.x);
    }
    if (ImGui::IsItemHovered() && ImGui::IsMouseHoveringRect(min, {max.x, min.y + pitch_y})) {
      point_and_jump(
          view, {section.lanes, view.access()->line, section.address, result.burst_bytes}, queue);
      tooltip(tr("Burst {}", hexadecimal(section.address)),
              tr_count(static_cast<uint64_t>(std::popcount(section.lanes)),
                       "{1} of {2} bytes asked for, by one lane",
                       "{1} of {2} bytes asked for, by {0} lanes", section.bytes_used(),
                       result.burst_bytes),
              place_text(section.place));
    }
  }
}

// Draws row hits and row conflicts of the whole launch, stretch by stretch.
void draw_rows(const View& view, const std::shared_ptr<const timing::MemoryTimeline>& shown,
               ImVec2 at, ImVec2 size, CommandQueue& queue) {
  const Theme& t = *look().theme;
  ImDrawList* list = ImGui::GetWindowDrawList();
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("rows", {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  const timing::MemoryTimeline& memory = *shown;
  const std::optional<uint64_t> moment = moment_of_access(view, shown);
  uint64_t most = 1;
  for (const timing::RowWindow& w : memory.rows)
    most = std::max(most, w.hits + w.empties + w.conflicts);
  const float pitch =
      std::min(size.x / static_cast<float>(std::max<size_t>(memory.rows.size(), 1)), px(90));
  const float inset = pitch > px(4) ? px(1) : 0;
  for (size_t i = 0; i < memory.rows.size(); ++i) {
    const timing::RowWindow& w = memory.rows[i];
    const float x0 = at.x + pitch * static_cast<float>(i),
                x1 = std::max(x0 + 1, x0 + pitch - inset);
    float y = at.y + size.y;
    const auto stack = [&](uint64_t bursts, ImU32 color, bool hatched) {
      if (bursts == 0) return;
      const float h =
          std::max(1.0f, size.y * static_cast<float>(bursts) / static_cast<float>(most));
      list->AddRectFilled({x0, y - h}, {x1, y}, color);
      if (hatched && x1 - x0 > px(5) && h > px(5))
        draw_hatch(list, {x0, y - h}, {x1, y}, with_alpha(t.panel, 0.55f), px(6), px(1.2f));
      y -= h;
    };
    stack(w.hits, t.good, false);
    stack(w.empties, mix(t.panel, t.muted, 0.6f), false);
    stack(w.conflicts, t.poor, true);
    if (ImGui::IsItemHovered() && ImGui::GetMousePos().x >= x0 &&
        ImGui::GetMousePos().x < x0 + pitch) {
      tooltip(
          tr("From access {} of every warp", with_separators(w.begin + 1)),
          tr_count(w.hits, "{} burst found the row open", "{} bursts found the row open") + "\n" +
              tr_count(w.empties, "{} bank had no row open yet", "{} banks had no row open yet") +
              "\n" +
              tr_count(w.conflicts, "{} time another row had to be closed first",
                       "{} times another row had to be closed first"),
          offer_heaviest(view, memory, {w.begin, w.begin + memory.load.window_length, std::nullopt},
                         queue));
    }
    if (moment && *moment >= w.begin && *moment < w.begin + memory.load.window_length) {
      draw_moment_mark(list, {(x0 + x1) / 2, at.y - px(1)});
    }
  }
  list->AddLine({at.x, at.y + size.y}, {at.x + size.x, at.y + size.y}, t.line);
}

double last_transfer(const DramPanelState& state) {
  return static_cast<double>(std::max<uint64_t>(
      1, state.memory->dram.channels[static_cast<size_t>(state.channel)].end_step));
}

void show_transfers(DramPanelState& state, double begin, double span) {
  const double last = last_transfer(state);
  span = std::clamp(span, std::min(last, 32.0), last);
  state.begin = std::clamp(begin, 0.0, last - span);
  state.end = state.begin + span;
}

// Draws the banks of a channel: opening a row, then transfers, one at a time over the interface.
void draw_banks(const View& view, const timing::MemoryTimeline& memory, DramPanelState& state,
                ImVec2 at, ImVec2 size, CommandQueue& queue) {
  const Theme& t = *look().theme;
  const Fonts& f = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const models::DramSpec& spec = memory.dram.spec;
  if (state.end <= state.begin) {
    state.begin = 0;
    state.end = std::min(last_transfer(state), static_cast<double>(spec.row_steps) * 8);
  }
  ImGui::SetCursorScreenPos(at);
  ImGui::InvisibleButton("banks", {std::max(size.x, 1.0f), std::max(size.y, 1.0f)});
  ImGui::SetItemKeyOwner(ImGuiKey_MouseWheelY);
  const float gutter = text_size(f.regular, kSmall, tr("interface")).x + px(8);
  const float left = at.x + gutter, width = size.x - gutter;
  const auto rows = static_cast<float>(spec.banks + 1);
  const float pitch = std::min(size.y / rows, px(20));
  const float height = std::max(1.0f, pitch - std::max(1.0f, pitch * 0.2f));
  const double scale = static_cast<double>(width) / (state.end - state.begin);
  const auto x_of = [&](uint64_t step) {
    return left + static_cast<float>((static_cast<double>(step) - state.begin) * scale);
  };
  const float interface_top = at.y + pitch * static_cast<float>(spec.banks);
  const float line = line_height(f.regular, kSmall);
  float free_from = -1e9f;
  for (int b = 0; b < spec.banks; ++b) {
    const float top = at.y + pitch * static_cast<float>(b);
    list->AddRectFilled({left, top}, {left + width, top + height}, mix(t.panel, t.raised, 0.6f),
                        px(2));
    const float y = top + (height - line) / 2;
    if (y < free_from || y + line > interface_top) continue;
    draw_text(list, {left - px(8), y}, f.regular, kSmall, t.muted, tr("bank {}", b), Align::kRight);
    free_from = y + line;
  }
  draw_text(list, {left - px(8), interface_top + (height - line) / 2}, f.regular, kSmall, t.text,
            tr("interface"), Align::kRight);
  list->AddRectFilled({left, interface_top}, {left + width, interface_top + height},
                      mix(t.panel, t.raised, 0.6f), px(2));
  list->PushClipRect({left, at.y}, {left + width, at.y + size.y}, true);
  const ImVec2 mouse = ImGui::GetMousePos();
  const bool hovered = ImGui::IsItemHovered();
  const ServedBurst* under = nullptr;
  float drawn_to = -1;
  for (const ServedBurst& burst : memory.dram.bursts) {
    if (burst.place.channel != state.channel) continue;
    if (static_cast<double>(burst.transfer_end) < state.begin) continue;
    if (static_cast<double>(burst.core_begin) > state.end &&
        static_cast<double>(burst.transfer_begin) > state.end)
      break;
    const float top = at.y + pitch * static_cast<float>(burst.place.bank);
    const float x0 = x_of(burst.transfer_begin), x1 = std::max(x0 + 1, x_of(burst.transfer_end));
    if (burst.row != RowState::kHit) {
      const float open = x_of(burst.core_begin),
                  opened = std::min(x0, x_of(burst.core_begin + spec.row_steps));
      const bool conflict = burst.row == RowState::kConflict;
      const ImU32 color =
          conflict ? mix(t.panel, t.poor, t.dark ? 0.45f : 0.4f) : mix(t.panel, t.muted, 0.45f);
      list->AddRectFilled({open, top}, {opened, top + height}, color);
      if (conflict && height > px(5))
        draw_hatch(list, {std::max(open, left), top},
                   {std::min(opened, left + width), top + height}, with_alpha(t.poor, 0.8f), px(6),
                   px(1.2f));
      if (hovered && mouse.x >= open && mouse.x < opened && mouse.y >= top &&
          mouse.y < top + height)
        under = &burst;
    }
    if (x1 < drawn_to) continue;  // draw at most one per pixel
    drawn_to = x0 + 1;
    list->AddRectFilled({x0, top}, {x1, top + height}, t.good);
    list->AddRectFilled({x0, interface_top},
                        {std::max(x0 + 1, x1 - (x1 - x0 > px(4) ? 1 : 0)), interface_top + height},
                        t.good);
    const bool over = mouse.x >= x0 && mouse.x < x1 &&
                      ((mouse.y >= top && mouse.y < top + height) || mouse.y >= interface_top);
    if (hovered && over) under = &burst;
    if (points_at(view.pointing, burst.address, memory.dram.spec.burst_bytes)) {
      list->AddRect({x0 - px(2), top - px(1)},
                    {std::max(x1, x0 + px(3)) + px(2), top + height + px(1)}, t.text, px(2),
                    px(1.6f));
    }
  }
  list->PopClipRect();
  if (under) {
    queue.point_at({.address = under->address, .bytes = memory.dram.spec.burst_bytes});
    tooltip(
        tr("Burst {}", hexadecimal(under->address)),
        under->row == RowState::kHit ? tr("Its row was open.")
        : under->row == RowState::kConflict
            ? tr("Another row had to be closed and this one opened first.")
            : tr("No row was open in this bank yet."),
        place_text(under->place) +
            offer_access(view, {.block = under->block, .from = under->from, .time = under->time},
                         queue));
  }
  // As in the timeline of the schedulers: the wheel zooms, dragging pans.
  const double span = state.end - state.begin;
  const float wheel = hovered ? ImGui::GetIO().MouseWheel : 0;
  if (wheel != 0) {
    const double zoom = std::pow(1.25, static_cast<double>(wheel));
    const double middle =
        state.begin + static_cast<double>(std::clamp((mouse.x - left) / width, 0.0f, 1.0f)) * span;
    show_transfers(state, middle - (middle - state.begin) / zoom, span / zoom);
  } else if (ImGui::IsItemActive() && ImGui::IsMouseDragging(ImGuiMouseButton_Left, px(3))) {
    show_transfers(state, state.begin - static_cast<double>(ImGui::GetIO().MouseDelta.x) / scale,
                   span);
    ImGui::SetMouseCursor(ImGuiMouseCursor_ResizeEW);
  }
}

std::string csv_of(const models::BurstResult* bursts, const timing::MemoryTimeline* memory) {
  CsvTable table({"what", "address or access", "bytes used or row hits",
                  "channel or banks without a row", "bank or rows closed", "row"});
  if (bursts) {
    for (const BurstSection& s : bursts->sections) {
      table.row({"burst of the access", hexadecimal(s.address), std::to_string(s.bytes_used()),
                 std::to_string(s.place.channel), std::to_string(s.place.bank),
                 std::to_string(s.place.row)});
    }
  }
  if (memory) {
    for (const timing::RowWindow& w : memory->rows) {
      table.row({"rows over time", std::to_string(w.begin + 1), std::to_string(w.hits),
                 std::to_string(w.empties), std::to_string(w.conflicts), ""});
    }
  }
  return table.text();
}

// Draws the legend of the row colours, right-aligned.
void row_legend(float left) {
  const Theme& t = *look().theme;
  const Face& face = look().fonts->regular;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  struct Item {
    const char* text;
    ImU32 color;
    bool hatched;
  };
  const Item items[] = {{tr("row changed"), t.poor, true},
                        {tr("first row"), mix(t.panel, t.muted, 0.6f), false},
                        {tr("row open"), t.good, false}};
  float x = at.x + content_width();
  for (const Item& item : items) {
    const float wide = text_size(face, 12, item.text).x + px(15);
    if (x - wide < left) return;
    x -= wide;
    const ImVec2 box{x, at.y + px(3)};
    list->AddRectFilled(box, {box.x + px(10), box.y + px(10)}, item.color, px(2));
    if (item.hatched)
      draw_hatch(list, box, {box.x + px(10), box.y + px(10)}, with_alpha(t.panel, 0.55f), px(4),
                 px(1.2f));
    draw_text(list, {x + px(15), at.y}, face, 12, t.muted, item.text);
    x -= px(12);
  }
}

// Draws a heading above a picture; `words` explain its figures.
void heading(std::string_view text, std::string_view right, const MetricWords& words) {
  const Fonts& f = *look().fonts;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text(list, at, f.medium, kLabel, look()->text, text);
  const float left = text_size(f.medium, kLabel, text).x + px(12);
  draw_text_cut(list, {at.x + content_width(), at.y}, f.regular, 12, look()->muted, right,
                content_width() - left, Align::kRight);
  metric_area(
      at, {at.x + (right.empty() ? left : content_width()), at.y + line_height(f.medium, kLabel)},
      words);
}

}  // namespace

void move_transfers(DramPanelState& state, double zoom, double shift) {
  if (!state.memory) return;
  const double span = state.end - state.begin;
  if (zoom <= 0) {
    show_transfers(state, 0, last_transfer(state));
  } else {
    show_transfers(state, state.begin + span / 2 - span / zoom / 2 + shift * span, span / zoom);
  }
}

void dram_panel(const View& view, DramPanelState& state, CommandQueue& queue) {
  Panel panel("dram", "DRAM", ImGuiWindowFlags_NoNavInputs | ImGuiWindowFlags_NoScrollWithMouse);
  if (!panel) return;
  const AccessEntry* entry = view.access();
  const lab::KernelRun* run = view.result() ? view.result()->student() : nullptr;
  const bool global = entry && !entry->shared;
  panel.header("DRAM", global ? access_place(view) : run ? view.result()->gpu.name : "");
  const timing::MemoryTimeline* memory =
      run && run->memory && !run->memory->dram.bursts.empty() ? run->memory.get() : nullptr;
  if (!run || (!global && !memory)) {
    empty_panel(!view.exercise() ? tr("Nothing runs in this step.")
                : view.did_not_compile() && !view.prepared
                    ? tr("The kernel has not run: see Findings.")
                : !run ? tr("Run the kernel to see the bursts that it fetches from DRAM.")
                       : tr("The kernel made no access to memory that could be drawn."));
    state.bursts.reset();
    return;
  }
  Greyed grey(view.stale);
  if (!global) {
    state.bursts.reset();
  } else if (state.of != view.prepared || state.entry != *view.selected || !state.bursts) {
    state.of = view.prepared;
    state.entry = *view.selected;
    state.bursts = lab::bursts_of(view.result()->gpu, request_of(*run, *entry));
  }
  if (state.memory != memory) {
    state.memory = memory;
    state.channel = memory ? memory->busiest_channel() : 0;
    state.begin = state.end = 0;
  }
  const models::BurstResult* bursts = state.bursts ? &*state.bursts : nullptr;
  if (bursts) {
    headline(std::to_string(bursts->sections.size()), bursts->is_fully_coalesced(),
             tr(bursts->sections.size() == 1 ? tr_later("burst for one {}")
                                             : tr_later("bursts for one {}"),
                access_word(entry->kind)),
             tr("ideal {} · {} bytes moved, {} used", bursts->ideal_sections(),
                with_separators(bursts->bytes_moved()), with_separators(bursts->bytes_used())),
             lab::Provenance::kSimulated, metric::kBursts);
  } else {
    const double hits = memory->dram.row_hit_fraction();
    headline(percent_text(std::round(hits * 1000) / 1000), hits >= 0.8,
             tr("of the bursts find their row open"),
             entry ? std::string_view(tr("the selected access goes to shared memory")) : "",
             lab::Provenance::kSimulated, metric::kRowHits);
  }
  const uint32_t burst_bytes = bursts ? bursts->burst_bytes : memory->dram.spec.burst_bytes;
  const models::DramSpec spec = memory ? memory->dram.spec : models::dram_of(view.result()->gpu);
  const std::string note =
      spec.channels.illustration ? tr(spec.note) : tr("Assumed: {}", spec.note);
  // The picture takes precedence over the paragraph, and over the end of the note, which its
  // tooltip has.
  const auto leaves_room = [&](float words) {
    return !memory || ImGui::GetContentRegionAvail().y - words - px(6) > px(kLeastTimed);
  };
  float note_height = model_note_height(note);
  if (!leaves_room(note_height)) note_height = model_note_height();
  const std::string rule =
      tr("DRAM hands out whole bursts, here of {}, from the one row that each bank has "
         "open. Opening another row costs time.",
         bytes_text(burst_bytes));
  const float rule_height = wrapped_height(look().fonts->regular, kLabel, rule, content_width()) +
                            ImGui::GetStyle().ItemSpacing.y;
  if (ImGui::GetContentRegionAvail().y > px(220) && leaves_room(note_height + rule_height)) {
    paragraph(look().fonts->regular, kLabel, look()->muted, rule);
    metric_tooltip(metric::kBursts);
  }
  export_menu(
      "DRAM", [&] { return csv_of(bursts, memory); }, queue);
  const ImVec2 start = ImGui::GetCursorScreenPos(), space = ImGui::GetContentRegionAvail();
  const float head = px(24), room = space.y - note_height - px(6);
  const bool timed = memory != nullptr && room > px(kLeastTimed);
  float share = !timed ? 1 : room > px(300) ? 0.36f : 0.45f;
  float y = start.y;
  if (bursts) {
    // Take no more than needed, so that related parts stay together.
    const BurstGrid grid = grid_of(bursts->sections.size(), {space.x, room * share - px(10)});
    const float needed =
        std::ceil(static_cast<float>(bursts->sections.size()) / grid.columns) * grid.pitch_y +
        px(16);
    if (timed) share = std::min(share, needed / room);
    const float height = std::max(px(20), room * share - px(10));
    ImGui::InvisibleButton("bursts", {std::max(space.x, 1.0f), height});
    draw_bursts(view, *bursts, start, {space.x, height}, queue);
    y += room * share;
  }
  if (timed) {
    const float rest = start.y + room - y;
    const bool banks = rest > px(170);
    ImGui::SetCursorScreenPos({start.x, y});
    const std::string hits =
        tr("Rows over time: {} hits",
           percent_text(std::round(memory->dram.row_hit_fraction() * 1000) / 1000));
    heading(hits, "", metric::kRowHits);
    ImGui::SetCursorScreenPos({start.x, y});
    row_legend(start.x + text_size(look().fonts->medium, kLabel, hits).x + px(16));
    const float rows_height =
        banks ? std::max(px(30), (rest - 2 * head) * 0.34f) : rest - head - px(4);
    draw_rows(view, run->memory, {start.x, y + head}, {space.x, rows_height}, queue);
    if (banks) {
      y += head + rows_height + px(10);
      ImGui::SetCursorScreenPos({start.x, y});
      heading(tr("Channel {} of {}", state.channel, memory->dram.spec.channels.count),
              tr("transfers {}–{} · all interfaces work {} of the time",
                 with_separators(static_cast<uint64_t>(state.begin)),
                 with_separators(static_cast<uint64_t>(state.end)),
                 percent_text(std::round(memory->dram.interface_use() * 100) / 100)),
              metric::kInterfaceUse);
      draw_banks(view, *memory, state, {start.x, y + head}, {space.x, start.y + room - y - head},
                 queue);
    }
  } else if (!memory && (view.running || view.predicting)) {
    draw_text(ImGui::GetWindowDrawList(), {start.x, start.y + room - px(20)}, look().fonts->regular,
              kLabel, look()->muted, tr("Its accesses are being played…"));
  }
  // Very large text leaves no room for it below the headline.
  if (space.y < note_height) return;
  ImGui::SetCursorScreenPos({start.x, start.y + space.y - note_height});
  model_note(models::ModelName::kDramModel, note, note_height);
}

}  // namespace warpshop::ui
