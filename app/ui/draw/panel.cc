#include "draw/panel.h"

#include <algorithm>
#include <cmath>

#include "draw/tooltip.h"
#include "draw/widgets.h"
#include "imgui_internal.h"
#include "window/gl_fill.h"

namespace warpshop::ui {
namespace {

// Dear ImGui keeps the backgrounds of a docked host in channel 0 of its draw list (imgui.cpp,
// DOCKING_HOST_DRAW_CHANNEL_BG). The panel's own background is there already: the frame was cleared
// to that colour.
void paint_dock_node(const ImGuiDockNode& node) {
  ImDrawList* list = node.HostWindow->DrawList;
  list->ChannelsSetCurrent(0);
  fill_corners(list, node.Pos, {node.Pos.x + node.Size.x, node.Pos.y + node.Size.y}, px(8),
               look()->window);
  list->ChannelsSetCurrent(1);
}

// Hides partly visible names at the edges of a scrolled tab bar, since part of a name means
// nothing; they reappear once fully in view.
void cover_cut_tabs(const ImGuiDockNode& node) {
  const ImGuiTabBar* tabs = node.TabBar;
  if (!tabs) return;
  const float left = tabs->ScrollingRectMinX, right = tabs->ScrollingRectMaxX;
  for (const ImGuiTabItem& tab : tabs->Tabs) {
    const float begin = tabs->BarRect.Min.x + std::trunc(tab.Offset - tabs->ScrollingAnim),
                end = begin + tab.Width;
    const bool cut = (begin < left - 1 && end > left) || (begin < right && end > right + 1);
    if (!cut || tab.ID == tabs->VisibleTabId) continue;
    node.HostWindow->DrawList->AddRectFilled({std::max(begin, left), tabs->BarRect.Min.y},
                                             {std::min(end, right), tabs->BarRect.Max.y},
                                             look()->panel);
  }
}

// Draws a line below the front tab.
void underline_tab(const ImGuiDockNode& node) {
  const ImGuiTabBar* tabs = node.TabBar;
  if (!tabs) return;
  for (const ImGuiTabItem& tab : tabs->Tabs) {
    if (tab.ID != tabs->VisibleTabId) continue;
    const float left = tabs->BarRect.Min.x + tab.Offset - tabs->ScrollingAnim + px(12);
    const float right = left + tab.Width - px(24);
    if (right > tabs->BarRect.Max.x || left < tabs->BarRect.Min.x) return;
    const float y = tabs->BarRect.Max.y;
    node.HostWindow->DrawList->AddRectFilled({left, y - px(2)}, {right, y}, look()->accent, px(1));
  }
}

// Lines of a panel; a shorter panel does not spend one on the context.
constexpr float kRoomForContext = 12;

// Draws the context, such as "line 7 · block (0,0) · warp 0". If there is too little room, it drops
// whole parts from the end, since half a part says nothing. Hovering shows the full text, also for
// a single part that had to be truncated.
void draw_context(ImDrawList* list, ImVec2 right_top, std::string_view context, float room) {
  const Face& face = look().fonts->regular;
  std::string_view shown = context;
  while (text_size(face, 12.5f, shown).x > room) {
    const size_t dot = shown.rfind(" · ");
    if (dot == std::string_view::npos) break;
    shown = shown.substr(0, dot);
  }
  if (shown.empty() || room < px(60)) return;
  const ImVec2 size = text_size(face, 12.5f, shown);
  draw_text_cut(list, right_top, face, 12.5f, look()->muted, shown, room, Align::kRight);
  const ImVec2 min{right_top.x - std::min(size.x, room), right_top.y};
  if (shown.size() < context.size() &&
      ImGui::IsMouseHoveringRect(min, {right_top.x, min.y + size.y}, false))
    tooltip({}, context);
}

int arrows_frame = -1;  // the last frame in which a panel claimed the arrow keys

// Takes the arrow keys away from ImGui's keyboard navigation.
void keep_arrows() {
  arrows_frame = ImGui::GetFrameCount();
  const ImGuiID owner = ImGui::GetID("arrows");
  for (const ImGuiKey key :
       {ImGuiKey_LeftArrow, ImGuiKey_RightArrow, ImGuiKey_UpArrow, ImGuiKey_DownArrow})
    ImGui::SetKeyOwner(key, owner);
}

}  // namespace

bool arrows_walk_accesses() { return arrows_frame == ImGui::GetFrameCount(); }

std::string window_name(std::string_view id, std::string_view title) {
  return std::string(title) + "###" + std::string(id);
}

Panel::Panel(std::string_view id, std::string_view title, ImGuiWindowFlags flags) {
  const std::string name = window_name(id, title);
  const ImGuiWindow* before = ImGui::FindWindowByName(name.c_str());
  const bool docked =
      before && before->DockNode && ImGui::DockNodeGetRootNode(before->DockNode)->IsDockSpace();
  const bool own_arrows = flags & ImGuiWindowFlags_NoNavInputs;
  flags &= ~ImGuiWindowFlags_NoNavInputs;
  flags |= ImGuiWindowFlags_NoCollapse | ImGuiWindowFlags_NoFocusOnAppearing;
  if (docked) flags |= ImGuiWindowFlags_NoBackground;
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, px(16, 10));
  // The corner button for a hidden tab bar stays invisible until hovered.
  ImGui::PushStyleColor(ImGuiCol_Button, IM_COL32_BLACK_TRANS);
  ImGui::PushStyleColor(ImGuiCol_ButtonActive, IM_COL32_BLACK_TRANS);
  const bool behind = docked && before->DockNode && before->DockNode->VisibleWindow != before;
  ImGui::PushStyleColor(ImGuiCol_Text, behind ? look()->muted : look()->text);  // of the tab
  visible_ = ImGui::Begin(name.c_str(), nullptr, flags);
  ImGui::PopStyleColor(3);
  ImGui::PopStyleVar();
  if (own_arrows && ImGui::IsWindowFocused(ImGuiFocusedFlags_RootAndChildWindows)) keep_arrows();
  if (const ImGuiDockNode* node = ImGui::GetWindowDockNode(); node && node->HostWindow) {
    tabbed_ = !node->IsHiddenTabBar() && !node->IsNoTabBar();
    if (visible_) paint_dock_node(*node);
    if (visible_ && tabbed_) {
      cover_cut_tabs(*node);
      underline_tab(*node);
    }
  }
}

Panel::~Panel() { ImGui::End(); }

void Panel::header(std::string_view title, std::string_view context, float inset) {
  ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 at = ImGui::GetCursorScreenPos();
  const float width = content_width();
  const float height = px(24);
  const Fonts& f = *look().fonts;
  if (tabbed_) {
    // The context goes into the tab row, right of the last tab.
    const ImGuiDockNode& node = *ImGui::GetWindowDockNode();
    const ImGuiTabBar* tabs = node.TabBar;
    if (context.empty() || !tabs) return;
    const float right = node.Pos.x + node.Size.x - px(16);
    const float room = right - (tabs->BarRect.Min.x + tabs->WidthAllTabs) - px(24);
    const float y = (tabs->BarRect.Min.y + tabs->BarRect.Max.y - line_height(f.regular, 12.5f)) / 2;
    // The first part is essential, such as the size. If it does not fit beside the tabs, the
    // context goes below them.
    const bool fits = text_size(f.regular, 12.5f, context.substr(0, context.find(" · "))).x <= room;
    if (fits ||
        ImGui::GetContentRegionAvail().y < kRoomForContext * line_height(f.regular, 12.5f)) {
      draw_context(node.HostWindow->DrawList, {right, y}, context, room);
    } else {
      draw_context(list, {at.x + width, at.y}, context, width);
      ImGui::Dummy({width, line_height(f.regular, 12.5f)});
    }
    return;
  }
  const float y = at.y + (height - line_height(f.medium, 15)) / 2;
  draw_text_cut(list, {at.x, y}, f.medium, 15, look()->text, title, width - inset);
  const float left = text_size(f.medium, 15, title).x + px(16);
  const float context_y = at.y + (height - line_height(f.regular, 12.5f)) / 2;
  draw_context(list, {at.x + width - inset, context_y}, context, width - left - inset);
  ImGui::Dummy({width, height});
}

void empty_panel(std::string_view sentence, std::string_view hint) {
  const Fonts& f = *look().fonts;
  const ImVec2 space = ImGui::GetContentRegionAvail();
  const float wrap = std::min(space.x, px(360));
  auto height_of = [&](std::string_view text, float em) {
    ScopedFont font(f.regular, em);
    return ImGui::CalcTextSize(text.data(), text.data() + text.size(), false, wrap).y;
  };
  const float height =
      height_of(sentence, kBody) + (hint.empty() ? 0 : height_of(hint, kLabel) + px(6));
  const ImVec2 start = ImGui::GetCursorPos();
  float y = start.y + std::max(0.0f, (space.y - height) * 0.42f);
  auto centred = [&](std::string_view text, float em, ImU32 color) {
    ScopedFont font(f.regular, em);
    ImDrawList* list = ImGui::GetWindowDrawList();
    const float size = ImGui::GetFontSize();
    const char *at = text.data(), *end = text.data() + text.size();
    while (at < end) {
      const char* line_end = f.regular.font->CalcWordWrapPosition(size, at, end, wrap);
      if (line_end == at) ++line_end;
      const ImVec2 origin = ImGui::GetCursorScreenPos();
      draw_text(list, {origin.x + space.x / 2, origin.y - ImGui::GetCursorPosY() + y}, f.regular,
                em, color, {at, static_cast<size_t>(line_end - at)}, Align::kCenter);
      y += size;
      at = line_end;
      while (at < end && *at == ' ') ++at;
    }
  };
  centred(sentence, kBody, look()->muted);
  if (!hint.empty()) {
    y += px(6);
    centred(hint, kLabel, look()->muted);
  }
  ImGui::Dummy({space.x, std::max(space.y, y - start.y)});
}

}  // namespace warpshop::ui
