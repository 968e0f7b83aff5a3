#include "panels/text_figures.h"

#include <algorithm>

#include "draw/widgets.h"
#include "imgui_internal.h"
#include "panels/banks_panel.h"
#include "panels/transactions_panel.h"

namespace warpshop::ui {
namespace {

// Draws the access on the left and its cost on the right.
void caption(const TextFigure::Access& access) {
  const Fonts& f = *look().fonts;
  const auto cost = static_cast<uint64_t>(access.cost);
  const std::string figure =
      access.banks
          ? tr_count(cost, "{} wavefront, ideal {1}", "{} wavefronts, ideal {1}", access.ideal)
          : tr_count(cost, "{} sector, ideal {1}", "{} sectors, ideal {1}", access.ideal);
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width(), right = text_size(f.medium, kLabel, figure).x;
  ImDrawList* list = ImGui::GetWindowDrawList();
  draw_text_cut(list, at, f.regular, kLabel, look()->body, access.label, width - right - px(12));
  draw_text(list, {at.x + width, at.y}, f.medium, kLabel,
            access.cost > access.ideal ? look()->poor : look()->good, figure, Align::kRight);
  ImGui::Dummy({width, line_height(f.regular, kLabel) + px(4)});
}

void map_of(const TextFigure::Access& access) {
  const float width = content_width();
  if (access.banks) {
    const float rows = std::min(static_cast<float>(access.banks->passes.size()), 12.0f);
    draw_bank_map(access.request, *access.banks, {width, px(78) + rows * px(14)}, 1);
    return;
  }
  draw_transaction_map(
      *access.map,
      {width, px(76) + px(26) * static_cast<float>(std::min<size_t>(access.map->rows.size(), 8))},
      1);
}

}  // namespace

bool draw_text_figure(const Block& block, TextFigures& known) {
  if (block.language != "map" && block.language != "banks") return false;
  const auto [found, is_new] = known.try_emplace(block.language + " " + block.words);
  if (is_new) found->second = read_text_figure(block.language, block.words);
  if (!found->second) return false;
  // In the text, Tab stops only at links and answers.
  ImGui::PushItemFlag(ImGuiItemFlags_NoTabStop | ImGuiItemFlags_NoNav, true);
  ImGui::PushID(found->first.c_str());
  int number = 0;
  for (const TextFigure::Access& access : found->second->accesses) {
    ImGui::PushID(number++);
    if (number > 1) gap(8);
    caption(access);
    map_of(access);
    ImGui::PopID();
  }
  ImGui::PopID();
  ImGui::PopItemFlag();
  return true;
}

}  // namespace warpshop::ui
