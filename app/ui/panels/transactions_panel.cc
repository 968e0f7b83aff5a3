#include "panels/transactions_panel.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>

#include "app/actions.h"
#include "core/ascii.h"
#include "core/dim3.h"
#include "draw/panel.h"
#include "draw/tooltip.h"
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

void hover_tooltip(const View& view, const CoalescerMap& map, const MapHover& hover) {
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
    const Dim3 index = index_in(run.block, thread);
    const std::string who = tr("Thread ({}, {}, {})", index.x, index.y, index.z);
    uint32_t same = 0;
    for (size_t other = 0; other < models::kLanes; ++other) {
      same |= static_cast<uint32_t>((request.active_mask >> other & 1) &&
                                    request.address[other] == request.address[lane])
              << other;
    }
    const bool word = hover.row >= 0 && !std::has_single_bit(same);
    tooltip(tr("Lane {}", hover.lane),
            who + "\n" +
                tr("{} at {}", bytes_text(request.width_bytes), hexadecimal(request.address[lane])),
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
        tr("Sector {}", hexadecimal(address)),
        tr_count(lanes, "{1} of 32 bytes asked for, by one lane",
                 "{1} of 32 bytes asked for, by {0} lanes", used),
        used == 32 || map.wastes()
            ? ""
            : tr("A sector is the least that moves: no access of these bytes would move less."));
    return;
  }
  tooltip(tr("Sector {}", hexadecimal(address)), tr("Not touched by this access."));
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
                        hexadecimal(move.address), move.used) +
                     " · " + lanes_text(move.lanes);
  if (move.replay >= 0) text += " · " + tr("replay {}", move.replay);
  return text;
}

}  // namespace

bool move_focus(TransactionsPanelState& state, int by) {
  const size_t all = state.moves.size();  // one past the last means: show all
  if (all == 0) return false;
  const size_t next = wrap_index(state.focus.value_or(all), by, all + 1);
  state.focus = next == all ? std::nullopt : std::optional<size_t>(next);
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
    state.advice = lab::index_advice_of(request);
    state.focus.reset();
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
  const Move* alone = state.focus && *state.focus < moves.size() ? &moves[*state.focus] : nullptr;
  const std::string advice = alone          ? text_of(*alone, *state.focus, moves.size())
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
  const MapHover hover = draw_transaction_map(
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
