#include "panels/banks_panel.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "draw/panel.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "lab/access_cost.h"
#include "lab/findings.h"
#include "maps/csv_tables.h"
#include "panels/export_menu.h"
#include "panels/linked.h"
#include "panels/model_note.h"
#include "panels/scrubber.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

struct BankFrame {
  ImVec2 origin;
  float pitch = 0, size = 0, lane_height = 0;
  float rows_top = 0, row_pitch = 0, row_height = 0;
  int rows = 0;  // number of rows shown
  int banks = 32;
  float left(int column) const { return origin.x + pitch * static_cast<float>(column); }
  float middle(int column) const { return left(column) + size / 2; }
  float bank_pitch() const { return pitch * 32 / static_cast<float>(banks); }
  float bank_left(int bank) const { return origin.x + bank_pitch() * static_cast<float>(bank); }
  float bank_size() const { return bank_pitch() - (pitch - size); }
  float bank_middle(int bank) const { return bank_left(bank) + bank_size() / 2; }
};

// The grid has 32 columns in every generation; with 16 banks, each is two columns wide.
BankFrame lay_out(ImVec2 origin, ImVec2 size, int passes, int banks) {
  BankFrame f;
  f.origin = origin;
  f.banks = banks;
  f.pitch = size.x / models::kLanes;
  f.size = f.pitch - std::max(1.0f, px(2));
  f.lane_height = std::clamp(size.y * 0.07f, px(12), px(20));
  const float links = std::clamp(size.y * 0.2f, px(24), px(60));
  f.rows_top = origin.y + f.lane_height + links;
  const float space = size.y - f.lane_height - links;
  constexpr float kLeastPitch = 2;  // pixels: a row and its gap
  f.rows = std::max(1, std::min(passes, static_cast<int>(space / kLeastPitch)));
  f.row_pitch = std::min(space / static_cast<float>(f.rows), px(30));
  f.row_height = f.row_pitch - std::clamp(f.row_pitch * 0.44f, 1.0f, std::max(1.0f, px(2)));
  return f;
}

// "every lane wants bank 0", "2 lanes per bank", …
std::string reason(const models::GenerationBankResult& banks) {
  int worst = 0, at = 0, busy = 0;
  for (int bank = 0; bank < models::bank_count(banks.rule); ++bank) {
    const int degree = banks.degree[static_cast<size_t>(bank)];
    busy += degree > 0;
    if (degree > worst) {
      worst = degree;
      at = bank;
    }
  }
  if (worst <= 1) return tr("no bank is asked for two words");
  if (busy == 1) return tr("every word lies in bank {}", at);
  return tr("bank {} is asked for {} words", at, worst);
}

void draw_map(ImDrawList* list, const models::WarpRequest& request,
              const models::GenerationBankResult& banks, const BankFrame& f, uint32_t pointed,
              float progress) {
  const Theme& t = *look().theme;
  const auto strong = [pointed](uint32_t lanes) { return pointed == 0 || (pointed & lanes) != 0; };
  // Draw idle banks as faint columns.
  for (int row = 0; row < f.rows; ++row) {
    const float top = std::round(f.rows_top + f.row_pitch * static_cast<float>(row));
    for (int bank = 0; bank < f.banks; ++bank) {
      list->AddRectFilled({f.bank_left(bank), top},
                          {f.bank_left(bank) + f.bank_size(), top + f.row_height},
                          mix(t.panel, t.raised, 0.55f), px(2));
    }
  }
  for (int lane = 0; lane < models::kLanes; ++lane) {
    const bool active = request.active_mask >> lane & 1;
    const ImVec2 min{f.left(lane), f.origin.y}, max{min.x + f.size, min.y + f.lane_height};
    if (!active) {
      list->AddRect(min, max, t.line, px(3));
      continue;
    }
    const int bank = std::max(0, banks.lane_bank[static_cast<size_t>(lane)][0]);
    const float start = static_cast<float>(lane) / models::kLanes * 0.5f;
    const float grown = std::clamp((progress - start) / 0.5f, 0.0f, 1.0f);
    const bool shown = strong(uint32_t{1} << lane);
    const float alpha = shown ? 0.8f : 0.12f;
    draw_link(list, {f.middle(lane), max.y + px(2)}, {f.bank_middle(bank), f.rows_top - px(2)},
              with_alpha(lane_color(lane), alpha), px(1.4f), grown);
    list->AddRectFilled(min, max, shown ? lane_color(lane) : mix(t.panel, lane_color(lane), 0.35f),
                        px(3));
    draw_lane_digits(list, min, max, lane);
    if (pointed >> lane & 1) {
      list->AddRect({min.x - px(2), min.y - px(2)}, {max.x + px(2), max.y + px(2)}, t.text, px(4),
                    px(1.5f));
    }
  }
  const Face& face = look().fonts->medium;
  for (int row = 0; row < f.rows; ++row) {
    const models::GenerationPass& pass = banks.passes[static_cast<size_t>(row)];
    const float top = std::round(f.rows_top + f.row_pitch * static_cast<float>(row));
    for (int bank = 0; bank < f.banks; ++bank) {
      const uint32_t lanes = pass.lanes[static_cast<size_t>(bank)];
      if (lanes == 0) continue;
      const ImVec2 min{f.bank_left(bank), top}, max{min.x + f.bank_size(), top + f.row_height};
      const int lane = std::countr_zero(lanes);
      list->AddRectFilled(min, max,
                          strong(lanes) ? lane_color(lane) : mix(t.panel, lane_color(lane), 0.35f),
                          px(2));
      if (std::popcount(lanes) == 1 && strong(lanes)) draw_lane_digits(list, min, max, lane);
      const std::string count = std::to_string(std::popcount(lanes));
      if (std::popcount(lanes) > 1 && f.row_height > px(13) &&
          text_size(face, kSmall, count).x <= max.x - min.x) {
        draw_text(list, {(min.x + max.x) / 2, (min.y + max.y - line_height(face, kSmall)) / 2},
                  face, kSmall, text_on(lane_color(lane)), count, Align::kCenter);
        note_metric(min, max, metric::kLanesOfWord);
      }
    }
  }
}

}  // namespace

void bank_headline(const models::GenerationBankResult& banks, emulator::AccessKind kind, int cost,
                   int ideal) {
  const bool newest = banks.rule == models::BankRule::kMeasuredBanks;
  const int last_bank = models::bank_count(banks.rule) - 1;
  const char* passes =
      newest ? (cost == 1 ? tr_later("wavefront for one {}") : tr_later("wavefronts for one {}"))
             : (cost == 1 ? tr_later("pass for one {}") : tr_later("passes for one {}"));
  headline(std::to_string(cost), cost <= ideal,
           tr(passes, access_word(kind)) + (newest ? "" : " · " + tr("{} banks", last_bank + 1)),
           tr("ideal {}", ideal) + " · " + reason(banks), lab::Provenance::kSimulated,
           passes_metric(banks.rule));
}

uint32_t draw_bank_map(const models::WarpRequest& request,
                       const models::GenerationBankResult& banks, ImVec2 size, float progress,
                       uint32_t pointed) {
  const int last_bank = models::bank_count(banks.rule) - 1;
  const Fonts& fonts = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float label_height = line_height(fonts.regular, kSmall);
  {
    const ScaleMarks marks;
    draw_text(list, at, fonts.regular, kSmall, look()->muted, tr("lane 0"));
    draw_text(list, {at.x + size.x - px(2), at.y}, fonts.regular, kSmall, look()->muted, "31",
              Align::kRight);
  }
  const ImVec2 origin{at.x, at.y + label_height + px(3)};
  const BankFrame frame = lay_out(origin, {size.x, size.y - 2 * label_height - px(6)},
                                  static_cast<int>(banks.passes.size()), last_bank + 1);
  ImGui::InvisibleButton("map", size);
  uint32_t lanes = 0;
  if (ImGui::IsItemHovered() && ImGui::GetMousePos().y >= frame.rows_top) {
    const int hovered = std::clamp(
        static_cast<int>((ImGui::GetMousePos().x - at.x) / frame.bank_pitch()), 0, last_bank);
    const int degree = banks.degree[static_cast<size_t>(hovered)];
    tooltip(tr("Bank {}", hovered), degree == 0
                                        ? std::string(tr("Idle in this access."))
                                        : tr_count(static_cast<uint64_t>(degree),
                                                   "{} word asked for", "{} words asked for"));
    for (size_t lane = 0; lane < models::kLanes; ++lane) {
      for (const int bank : banks.lane_bank[lane]) lanes |= uint32_t{bank == hovered} << lane;
    }
  } else if (ImGui::IsItemHovered() && ImGui::GetMousePos().y < origin.y + frame.lane_height) {
    const int lane = std::clamp(static_cast<int>((ImGui::GetMousePos().x - at.x) / frame.pitch), 0,
                                models::kLanes - 1);
    const int bank = banks.lane_bank[static_cast<size_t>(lane)][0];
    lanes = uint32_t{1} << lane;
    tooltip(tr("Lane {}", lane),
            bank < 0 ? std::string(tr("Takes no part in this access.")) : tr("Bank {}", bank));
  }
  draw_map(list, request, banks, frame, pointed, progress);
  const float below = frame.rows_top + frame.row_pitch * static_cast<float>(frame.rows) + px(2);
  {
    const ScaleMarks marks;
    draw_text(list, {at.x, below}, fonts.regular, kSmall, look()->muted, tr("bank 0"));
    draw_text(list, {at.x + size.x - px(2), below}, fonts.regular, kSmall, look()->muted,
              std::to_string(last_bank), Align::kRight);
  }
  if (frame.rows < static_cast<int>(banks.passes.size())) {
    draw_text(list, {at.x + size.x / 2, below}, fonts.regular, kSmall, look()->poor,
              tr("{} more below", static_cast<int>(banks.passes.size()) - frame.rows),
              Align::kCenter);
  }
  return lanes;
}

namespace {

std::string words_of_row(uint64_t bytes) { return with_separators(bytes / models::kBankBytes); }

// Draws "Rows of 33 words instead of 32 need 1 wavefront", and a link that shows them.
void offer_padding(const models::PaddedAccess& padded, BanksPanelState& state) {
  const Face& face = look().fonts->regular;
  const uint64_t passes = padded.banks.passes.size();
  const std::string longer = words_of_row(padded.row_bytes + padded.pad_bytes),
                    now = words_of_row(padded.row_bytes);
  const std::string text =
      padded.banks.rule == models::BankRule::kMeasuredBanks
          ? tr_count(passes, "Rows of {1} words instead of {2} need {0} wavefront.",
                     "Rows of {1} words instead of {2} need {0} wavefronts.", longer, now)
          : tr_count(passes, "Rows of {1} words instead of {2} need {0} pass.",
                     "Rows of {1} words instead of {2} need {0} passes.", longer, now);
  const char* action = state.beside ? tr("Hide padding") : tr("Preview padding");
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float wide = text_size(face, kLabel, action).x, room = content_width() - wide - px(16);
  const float y = at.y + (model_link_height() - line_height(face, kLabel)) / 2;
  draw_text_cut(ImGui::GetWindowDrawList(), {at.x, y}, face, kLabel, look()->body, text, room);
  metric_area({at.x, y}, {at.x + room, y + line_height(face, kLabel)},
              passes_metric(padded.banks.rule));
  ImGui::SetCursorScreenPos({at.x + content_width() - wide, at.y});
  if (link(std::string(action) + "###padding", kLabel)) state.beside = !state.beside;
}

// Draws the access as it is, beside the same access in padded rows.
void beside(const View& view, const models::WarpRequest& request,
            const models::GenerationBankResult& banks, const models::PaddedAccess& padded,
            ImVec2 size, float grown, CommandQueue& queue) {
  const Face& face = look().fonts->medium;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float gap = px(20), width = (size.x - gap) / 2, head = line_height(face, kLabel) + px(4);
  const MetricWords words = passes_metric(banks.rule);
  const struct {
    const models::WarpRequest& request;
    const models::GenerationBankResult& banks;
    std::string title;
  } sides[] = {{request, banks, tr("as it is: {}", banks.passes.size())},
               {padded.request, padded.banks,
                tr("rows of {0} words: {1}", words_of_row(padded.row_bytes + padded.pad_bytes),
                   padded.banks.passes.size())}};
  uint32_t lanes = 0;
  for (int i = 0; i < 2; ++i) {
    const ImVec2 corner{at.x + (width + gap) * static_cast<float>(i), at.y};
    const bool good = sides[i].banks.conflicts() <= 0;
    draw_text_cut(ImGui::GetWindowDrawList(), corner, face, kLabel,
                  good ? look()->good : look()->poor, sides[i].title, width);
    metric_area(corner, {corner.x + width, corner.y + head}, words);
    ImGui::SetCursorScreenPos({corner.x, corner.y + head});
    ImGui::PushID(i);
    lanes |= draw_bank_map(sides[i].request, sides[i].banks, {width, size.y - head}, grown,
                           view.pointing.lanes);
    ImGui::PopID();
    point_and_jump(view, {.lanes = lanes, .line = view.access()->line}, queue);
  }
}

}  // namespace

void banks_panel(const View& all, BanksPanelState& state, CommandQueue& queue) {
  Panel panel("banks", tr("Banks"),
              state.layouts ? ImGuiWindowFlags_HorizontalScrollbar : ImGuiWindowFlags_NoNavInputs);
  if (!panel) return;
  const View view = all.of_memory(true);
  const AccessEntry* entry = view.access();
  const bool shown = entry && entry->shared;
  if (state.layouts && view.result()) {
    panel.header(tr("Banks"));
    state.layouts = !layout_view(view, state.layout, queue);
    return;
  }
  panel.header(tr("Banks"), shown ? access_place(view) : "");
  if (!shown) {
    const lab::RunResult* result = view.result();
    if (result && lab::find_finding(result->sizes, emulator::FindingKind::kTimeout)) {
      empty_panel(tr("The kernel does not end."));
    } else {
      empty_panel(tr("Choose an access to shared memory to see its banks."),
                  tr("Click a line that touches shared memory, or step with ← and →."));
    }
    state.banks.reset();
    return;
  }
  const models::WarpRequest request = request_of(*view.result()->student(), *entry);
  if (state.of != view.prepared || state.entry != *view.selected || !state.banks) {
    state.of = view.prepared;
    state.entry = *view.selected;
    const models::GpuProfile& gpu = view.result()->gpu;
    const emulator::AccessSite& site = site_of(*view.result()->student(), *entry);
    state.banks = lab::bank_passes_of(gpu, site, request);
    state.padded = lab::padded_access_of(gpu, site, request);
  }
  const models::GenerationBankResult& banks = *state.banks;
  Greyed grey(view.stale);
  bank_headline(banks, entry->kind, entry->cost, entry->ideal);
  const Sentence& note = site_of(*view.result()->student(), *entry).backend_note;
  if (!note.empty() && !view.lecture)
    paragraph(look().fonts->regular, kSmall, look()->muted, capitalized(tr(note)) + ".");

  export_menu(
      tr("Banks"), [&] { return banks_csv(request, banks); }, queue);
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const bool advice = state.padded && !view.lecture;
  const float link_height = px(view.lecture ? 6 : 26) + (advice ? px(26) : 0);
  const float map_height = std::max(px(90), space.y - scrubber_height() - link_height);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float grown = ease(view.now_s - view.selected_at_s, 0.18f);
  if (advice && state.beside) {
    beside(view, request, banks, *state.padded, {space.x, map_height}, grown, queue);
  } else {
    const uint32_t lanes =
        draw_bank_map(request, banks, {space.x, map_height}, grown, view.pointing.lanes);
    point_and_jump(view, {.lanes = lanes, .line = entry->line}, queue);
  }
  // Place this below the map, which keeps its height if the panel is too low for both; the panel
  // then scrolls.
  const float below = std::max(at.y + space.y - scrubber_height(), at.y + map_height + link_height);
  if (advice) {
    ImGui::SetCursorScreenPos({at.x, below - model_link_height() - px(28)});
    offer_padding(*state.padded, state);
  }
  ImGui::SetCursorScreenPos({at.x, below - model_link_height() - px(2)});
  if (!view.lecture) {
    if (link(tr_id("Try other layouts", "layouts"), kLabel)) state.layouts = true;
    ImGui::SetCursorScreenPos({at.x, below - model_link_height() - px(2)});
    model_link(models::ModelName::kBankModel);
  }
  ImGui::SetCursorScreenPos({at.x, below});
  scrubber(all, queue);
}

}  // namespace warpshop::ui
