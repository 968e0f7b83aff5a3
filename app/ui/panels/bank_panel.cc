#include "panels/bank_panel.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "csv_tables.h"
#include "format.h"
#include "panels/export_menu.h"
#include "panels/scrubber.h"
#include "widgets.h"

namespace warpshop::ui {
namespace {

struct Frame {
  ImVec2 origin;
  float pitch = 0, size = 0, lane_height = 0;
  float rows_top = 0, row_pitch = 0, row_height = 0;
  int rows = 0;  // shown
  int banks = 32;
  float left(int column) const { return origin.x + pitch * static_cast<float>(column); }
  float middle(int column) const { return left(column) + size / 2; }
  float bank_pitch() const { return pitch * 32 / static_cast<float>(banks); }
  float bank_left(int bank) const { return origin.x + bank_pitch() * static_cast<float>(bank); }
  float bank_size() const { return bank_pitch() - (pitch - size); }
  float bank_middle(int bank) const { return bank_left(bank) + bank_size() / 2; }
};

// 32 columns in every generation: of 16 banks each is two columns wide.
Frame lay_out(ImVec2 origin, ImVec2 size, int passes, int banks) {
  Frame f;
  f.origin = origin;
  f.banks = banks;
  f.pitch = size.x / models::kLanes;
  f.size = f.pitch - std::max(1.0f, px(2));
  f.lane_height = std::clamp(size.y * 0.07f, px(12), px(20));
  const float links = std::clamp(size.y * 0.2f, px(24), px(60));
  f.rows_top = origin.y + f.lane_height + links;
  const float space = size.y - f.lane_height - links;
  f.rows = std::max(1, std::min(passes, static_cast<int>(space / px(6))));
  f.row_pitch = std::min(space / static_cast<float>(f.rows), px(30));
  f.row_height = f.row_pitch - std::max(1.0f, px(2));
  return f;
}

// "every lane wants bank 0", "2 lanes a bank", …
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
  if (worst <= 1) return "no bank is asked for two words";
  if (busy == 1) return "every word lies in bank " + std::to_string(at);
  return "bank " + std::to_string(at) + " is asked for " + std::to_string(worst) + " words";
}

void draw_map(ImDrawList* list, const models::WarpRequest& request, const models::GenerationBankResult& banks,
              const Frame& f, int hovered_bank, float progress) {
  const Theme& t = *look().theme;
  // Idle banks are faint columns.
  for (int row = 0; row < f.rows; ++row) {
    const float top = std::round(f.rows_top + f.row_pitch * static_cast<float>(row));
    for (int bank = 0; bank < f.banks; ++bank) {
      list->AddRectFilled({f.bank_left(bank), top}, {f.bank_left(bank) + f.bank_size(), top + f.row_height},
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
    const float alpha = hovered_bank >= 0 && hovered_bank != bank ? 0.12f : 0.8f;
    draw_link(list, {f.middle(lane), max.y + px(2)}, {f.bank_middle(bank), f.rows_top - px(2)},
              with_alpha(lane_color(lane), alpha), px(1.4f), grown);
    list->AddRectFilled(min, max, lane_color(lane), px(3));
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
      list->AddRectFilled(min, max, lane_color(lane), px(2));
      if (std::popcount(lanes) > 1 && f.row_height > px(13)) {
        draw_text(list, {(min.x + max.x) / 2, (min.y + max.y - line_height(face, kSmall)) / 2}, face,
                  kSmall, text_on(lane_color(lane)), std::to_string(std::popcount(lanes)),
                  Align::kCenter);
      }
    }
  }
}

}  // namespace

void bank_headline(const models::GenerationBankResult& banks, emulator::AccessKind kind, int cost, int ideal) {
  const bool newest = banks.rule == models::BankRule::kMeasuredBanks;
  const int last_bank = models::bank_count(banks.rule) - 1;
  const std::string pass = newest ? "wavefront" : "pass";
  headline(std::to_string(cost), cost <= ideal,
           (cost == 1 ? pass : newest ? "wavefronts" : "passes") + " for one " + std::string(access_word(kind)) +
               (newest ? "" : " · " + std::to_string(last_bank + 1) + " banks"),
           "ideal " + std::to_string(ideal) + " · " + reason(banks), lab::Provenance::kSimulated);
}

int draw_bank_map(const models::WarpRequest& request, const models::GenerationBankResult& banks, ImVec2 size,
                  float progress) {
  const int last_bank = models::bank_count(banks.rule) - 1;
  const Fonts& fonts = *look().fonts;
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float label_height = line_height(fonts.regular, kSmall);
  draw_text(list, at, fonts.regular, kSmall, look()->muted, "lane 0");
  draw_text(list, {at.x + size.x - px(2), at.y}, fonts.regular, kSmall, look()->muted, "31",
            Align::kRight);
  const ImVec2 origin{at.x, at.y + label_height + px(3)};
  const Frame frame = lay_out(
      origin, {size.x, size.y - 2 * label_height - px(6)}, static_cast<int>(banks.passes.size()),
      last_bank + 1);
  ImGui::InvisibleButton("map", size);
  int hovered = -1;
  if (ImGui::IsItemHovered() && ImGui::GetMousePos().y >= frame.rows_top) {
    hovered = std::clamp(static_cast<int>((ImGui::GetMousePos().x - at.x) / frame.bank_pitch()), 0, last_bank);
    const int degree = banks.degree[static_cast<size_t>(hovered)];
    tooltip("Bank " + std::to_string(hovered),
            degree == 0 ? "Idle in this access."
                        : counted(static_cast<uint64_t>(degree), "word") + " asked for");
  }
  draw_map(list, request, banks, frame, hovered, progress);
  const float below = frame.rows_top + frame.row_pitch * static_cast<float>(frame.rows) + px(2);
  draw_text(list, {at.x, below}, fonts.regular, kSmall, look()->muted, "bank 0");
  draw_text(list, {at.x + size.x - px(2), below}, fonts.regular, kSmall, look()->muted, std::to_string(last_bank),
            Align::kRight);
  if (frame.rows < static_cast<int>(banks.passes.size())) {
    draw_text(list, {at.x + size.x / 2, below}, fonts.regular, kSmall, look()->poor,
              std::to_string(static_cast<int>(banks.passes.size()) - frame.rows) + " more below",
              Align::kCenter);
  }
  return hovered;
}

void bank_panel(const View& view, BankPanelState& state, CommandQueue& queue) {
  Panel panel("banks", "Banks", ImGuiWindowFlags_NoNavInputs);
  if (!panel) return;
  const AccessEntry* entry = view.access();
  const bool shown = entry && entry->shared;
  panel.header("Banks", shown ? access_place(view) : "");
  if (!shown) {
    empty_panel("Choose an access to shared memory to see its banks.",
                "Click a line that touches shared memory, or step with ← and →.");
    state.banks.reset();
    return;
  }
  if (state.of != view.prepared || state.entry != *view.selected || !state.banks) {
    state.of = view.prepared;
    state.entry = *view.selected;
    const lab::KernelRun& run = *view.result()->student();
    state.banks = models::explain_bank_generation(models::bank_rule_of(view.result()->gpu), request_of(run, *entry),
                                                  shared_access_of(run, *entry));
  }
  const models::GenerationBankResult& banks = *state.banks;
  const bool newest = banks.rule == models::BankRule::kMeasuredBanks;
  Greyed grey(view.stale);
  bank_headline(banks, entry->kind, entry->cost, entry->ideal);
  if (!newest && ImGui::IsItemHovered()) tooltip(view.result()->gpu.name, models::words_of(banks.rule));

  export_menu("Banks", [&] { return banks_csv(request_of(*view.result()->student(), *entry), banks); }, queue);
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const float map_height = std::max(px(90), space.y - scrubber_height() - px(20));
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_bank_map(request_of(*view.result()->student(), *entry), banks, {space.x, map_height},
                ease(view.now_s - view.selected_at_s, 0.18f));
  ImGui::SetCursorScreenPos({at.x, at.y + space.y - scrubber_height()});
  scrubber(view, queue);
}

}  // namespace warpshop::ui
