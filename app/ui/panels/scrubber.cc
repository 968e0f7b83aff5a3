#include "panels/scrubber.h"

#include <algorithm>
#include <cmath>

#include "app/actions.h"
#include "draw/spots.h"
#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "text/format.h"

namespace warpshop::ui {
namespace {

// `leads_on`: false at the end of what the arrow walks through.
bool arrow(const char* id, ImGuiDir direction, std::string_view action, bool leads_on) {
  const float size = px(26);
  ImGui::BeginDisabled(!leads_on);
  const bool pressed = ImGui::InvisibleButton(id, {size, size});
  ImGui::EndDisabled();
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const bool hovered = ImGui::IsItemHovered();
  if (hovered) list->AddRectFilled(min, max, look()->raised, px(6));
  draw_chevron(list, {(min.x + max.x) / 2, (min.y + max.y) / 2}, px(10), direction,
               leads_on ? look()->accent : with_alpha(look()->muted, 0.5f), px(2));
  action_tooltip(action);
  return pressed;
}

// Draws a bar per access, or for the worst of a few if there are more accesses than pixels. Its
// height is the cost; orange means more than needed.
void bars(const View& view, const WarpAccesses& warp, float width, CommandQueue& queue) {
  const AccessIndex& index = view.prepared->accesses;
  const float height = px(26);
  ImGui::InvisibleButton("film", {std::max(width, px(20)), height});
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  ImDrawList* list = ImGui::GetWindowDrawList();
  const auto count = static_cast<float>(warp.count);
  const float pitch = std::min((max.x - min.x) / count, px(18));
  const float film = pitch * count;
  int most = 1;
  for (size_t i = 0; i < warp.count; ++i) {
    most = std::max(most, index.entries[warp.first + i].cost);
  }
  list->AddLine({min.x, max.y - px(4)}, {min.x + film, max.y - px(4)}, look()->line, px(1));
  const float floor = max.y - px(5), tall = height - px(10);
  float drawn_to = -1;
  for (size_t i = 0; i < warp.count; ++i) {
    const float x0 = min.x + pitch * static_cast<float>(i);
    const bool selected = warp.first + i == *view.selected;
    if (!selected && x0 + pitch < drawn_to + 1) continue;
    const AccessEntry& entry = index.entries[warp.first + i];
    const float h =
        std::max(px(5), tall * static_cast<float>(entry.cost) / static_cast<float>(most));
    const float w = std::max(1.0f, std::min(pitch - px(2), px(10)));
    const float x = x0 + (pitch - w) / 2;
    const ImU32 color = entry.waste() > 0 ? look()->poor : look()->good;
    draw_bar(list, {x, floor - h}, {x + w, floor}, selected ? color : with_alpha(color, 0.45f),
             entry.waste() > 0, std::min(w / 3, px(2)));
    drawn_to = x + w;
    if (selected) {
      list->AddTriangleFilled({x + w / 2 - px(4), max.y + px(3)},
                              {x + w / 2 + px(4), max.y + px(3)}, {x + w / 2, max.y - px(3)},
                              look()->text);
    }
  }
  if (ImGui::IsItemHovered() || ImGui::IsItemActive()) {
    const float at = (ImGui::GetMousePos().x - min.x) / pitch;
    const size_t place = static_cast<size_t>(std::clamp(at, 0.0f, count - 1));
    const size_t target = warp.first + place;
    if (ImGui::IsItemActive() && target != *view.selected) {
      queue.push(command::SelectAccess{target});
    } else if (!ImGui::IsItemActive() && at < count) {
      const AccessEntry& entry = index.entries[target];
      queue.point_at({0, entry.line});
      const auto cost = static_cast<uint64_t>(entry.cost);
      tooltip(
          tr("Line {}: {}", entry.line, access_word(entry.kind)),
          entry.shared
              ? tr_count(cost, "{} wavefront, ideal {1}", "{} wavefronts, ideal {1}", entry.ideal)
              : tr_count(cost, "{} sector, ideal {1}", "{} sectors, ideal {1}", entry.ideal));
    }
  }
}

// "block (3,1)": a link that opens fields for choosing another block.
void block_choice(const View& view, const Dim3& block, CommandQueue& queue) {
  static int wanted[3];
  const Dim3& grid = view.result()->student()->grid;
  const std::string text = block_text(block) + "##block";
  if (link(text, kLabel)) {
    wanted[0] = static_cast<int>(block.x);
    wanted[1] = static_cast<int>(block.y);
    wanted[2] = static_cast<int>(block.z);
    ImGui::OpenPopup("block");
  }
  const ImVec2 min = ImGui::GetItemRectMin(), max = ImGui::GetItemRectMax();
  if (!ImGui::IsPopupOpen("block") && ImGui::IsItemHovered(ImGuiHoveredFlags_DelayNormal)) {
    tooltip(tr("The block that the maps show"),
            tr("Grid of {} blocks. Another one is run again.", with_separators(grid.count())),
            tr("{} and {}", shortcut_of("previous-block"), shortcut_of("next-block")));
  }
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(16, 12));
  if (begin_popup_beside("block", min, max)) {
    label(look().fonts->medium, kLabel, look()->text, tr("Show another block"));
    const uint32_t size[3] = {grid.x, grid.y, grid.z};
    const char* const axes[3] = {"x", "y", "z"};
    bool done = false;
    for (int i = 0; i < 3; ++i) {
      if (size[i] <= 1) continue;
      ImGui::SetNextItemWidth(px(130));
      if (i == 0 && ImGui::IsWindowAppearing()) ImGui::SetKeyboardFocusHere();
      const std::string name = std::string(axes[i]) + "  " + tr("of {}", with_separators(size[i]));
      ImGui::InputInt(name.c_str(), &wanted[i], 1, 10);
      wanted[i] = std::clamp(wanted[i], 0, static_cast<int>(size[i]) - 1);
      done |= ImGui::IsItemFocused() &&
              (ImGui::IsKeyPressed(ImGuiKey_Enter) || ImGui::IsKeyPressed(ImGuiKey_KeypadEnter));
    }
    done |= button(tr_id("Show", "block"), ButtonKind::kPrimary);
    if (done) {
      queue.push(
          command::SelectBlock{static_cast<uint64_t>(wanted[0]) +
                               grid.x * (static_cast<uint64_t>(wanted[1]) +
                                         uint64_t{grid.y} * static_cast<uint64_t>(wanted[2]))});
      ImGui::CloseCurrentPopup();
    }
    ImGui::EndPopup();
  }
  ImGui::PopStyleVar();
}

}  // namespace

std::string_view access_word(emulator::AccessKind kind) {
  switch (kind) {
    case emulator::AccessKind::kLoad:
      return tr("load");
    case emulator::AccessKind::kStore:
      return tr("store");
    case emulator::AccessKind::kAtomic:
      return tr("atomic");
    case emulator::AccessKind::kReduction:
      return tr("reduction");
  }
  return tr("access");
}

std::string access_place(const View& view) {
  const AccessEntry* entry = view.access();
  if (!entry) return "";
  const emulator::WarpIdentity& warp = view.record()->warp;
  // The editor shows its figure at the line of the function called.
  const std::string line =
      entry->line <= 0    ? ""
      : entry->within > 0 ? tr("line {}, called in line {}", entry->within, entry->line) + " · "
                          : tr("line {}", entry->line) + " · ";
  if (view.substituted) return line + tr("the same warp");
  return line + block_text(warp.block) + " · " + tr("warp {}", warp.warp);
}

float scrubber_height() { return px(34); }

void scrubber(const View& view, CommandQueue& queue) {
  if (!view.access()) return;
  const AccessIndex& index = view.prepared->accesses;
  const WarpAccesses& warp = index.warp_of(*view.selected);
  const Fonts& f = *look().fonts;
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, px(4, 0));
  const ImVec2 start = ImGui::GetCursorScreenPos();
  const float width = content_width();
  const size_t here = *view.selected;
  if (arrow("back", ImGuiDir_Left, "previous-access", index.in_same_warp(here, -1) != here))
    queue.push(command::StepAccess{-1});
  ImGui::SameLine();
  const std::string place = tr("access {} of {}", with_separators(*view.selected - warp.first + 1),
                               with_separators(warp.count));
  // Reserve the width of the last access's text, so that nothing moves during playback.
  const std::string widest =
      tr("access {} of {}", with_separators(warp.count), with_separators(warp.count));
  const float text_width = text_size(f.regular, kLabel, widest).x;
  const ImVec2 at = ImGui::GetCursorScreenPos();
  draw_text(ImGui::GetWindowDrawList(),
            {at.x + text_width / 2, at.y + (px(26) - line_height(f.regular, kLabel)) / 2},
            f.regular, kLabel, look()->accent, place, Align::kCenter);
  ImGui::Dummy({text_width, px(26)});
  ImGui::SameLine();
  if (arrow("forth", ImGuiDir_Right, "next-access", index.in_same_warp(here, 1) != here))
    queue.push(command::StepAccess{1});
  note_spot(view.access()->shared ? "shared-accesses" : "accesses", start, ImGui::GetItemRectMax());
  ImGui::SameLine(0, px(14));

  const std::string warp_text = tr("warp {}", warp.warp.warp);
  const float warp_width = text_size(f.regular, kLabel, tr("warp {}", "00")).x;
  const bool several = view.result()->student()->grid.count() > 1;
  const float block_width =
      several && width > px(400)
          ? text_size(f.regular, kLabel, block_text(warp.warp.block)).x + px(16)
          : 0;
  const float right = start.x + width - warp_width - px(60) - block_width;
  const float film = right - ImGui::GetCursorScreenPos().x - px(12);
  if (film > px(30)) {
    bars(view, warp, film, queue);
  }
  if (right > ImGui::GetCursorScreenPos().x && index.warps.size() > 1 && film > 0) {
    ImGui::SetCursorScreenPos({right, start.y});
    if (arrow("warp_back", ImGuiDir_Left, "previous-warp", index.in_other_warp(here, -1) != here))
      queue.push(command::StepWarp{-1});
    ImGui::SameLine();
    const ImVec2 text_at = ImGui::GetCursorScreenPos();
    draw_text(
        ImGui::GetWindowDrawList(),
        {text_at.x + warp_width / 2, text_at.y + (px(26) - line_height(f.regular, kLabel)) / 2},
        f.regular, kLabel, look()->accent, warp_text, Align::kCenter);
    ImGui::Dummy({warp_width, px(26)});
    ImGui::SameLine();
    if (arrow("warp_forth", ImGuiDir_Right, "next-warp", index.in_other_warp(here, 1) != here))
      queue.push(command::StepWarp{1});
  }
  if (block_width > 0 && film > 0) {
    ImGui::SetCursorScreenPos({start.x + width - block_width + px(16), start.y + px(3)});
    block_choice(view, warp.warp.block, queue);
  }
  ImGui::PopStyleVar();
}

}  // namespace warpshop::ui
