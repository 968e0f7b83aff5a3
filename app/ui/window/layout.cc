#include "window/layout.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "draw/draw.h"
#include "draw/panel.h"
#include "imgui_internal.h"
#include "panels/panel_table.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

void dock(std::string_view panel, ImGuiID node) {
  // Only the part after ### identifies the window.
  ImGui::DockBuilderDockWindow(window_name(panel, "").c_str(), node);
  // ImGui would keep the place among its tabs in another layout, if its dock had the same number.
  if (ImGuiWindow* window = panel_window(panel)) window->DockOrder = -1;
}

// Splits off `part` of the node's length; returns that part, leaves the rest in `node`.
ImGuiID split(ImGuiID& node, ImGuiDir direction, float part) {
  ImGuiID taken = 0;
  ImGui::DockBuilderSplitNode(node, direction, std::clamp(part, 0.1f, 0.9f), &taken, &node);
  return taken;
}

// Height of the panels below the student's editor, so that a low window shows 20 lines of code.
float below_editor(ImVec2 size) {
  return std::clamp(size.y - px(455), std::min(px(200), 0.4f * size.y), 0.4f * size.y);
}

// Sets the height of the lower part of a split.
void set_height(ImGuiID part, float height) {
  ImGuiDockNode* node = ImGui::DockBuilderGetNode(part);
  if (!node || !node->ParentNode || height <= 0) return;
  ImGuiDockNode* above = node->ParentNode->ChildNodes[0];
  if (above == node) return;
  const float both = node->ParentNode->Size.y - ImGui::GetStyle().DockingSeparatorSize;
  node->SizeRef.y = std::min(height, both * 0.7f);
  above->SizeRef.y = both - node->SizeRef.y;
}

// Sets the width of the right part of a split.
void set_width(ImGuiDockNode* node, float width) {
  if (!node || !node->ParentNode || node->ParentNode->ChildNodes[1] != node) return;
  const float both = node->ParentNode->Size.x - ImGui::GetStyle().DockingSeparatorSize;
  node->SizeRef.x = width;
  node->ParentNode->ChildNodes[0]->SizeRef.x = both - width;
}

// Docks every panel whose place `of` names one of `docks`.
template <typename Dock>
void dock_all(Dock PanelRow::*of, const std::vector<std::pair<Dock, ImGuiID>>& docks) {
  for (const PanelRow& row : panel_table()) {
    for (const auto& [place, node] : docks) {
      if (row.*of == place) dock(row.id, node);
    }
  }
}

// The texts of `left` in one dock, all other panels in `others`.
void dock_others(ImGuiID text, const std::vector<std::string_view>& left, ImGuiID others) {
  for (const PanelRow& row : panel_table()) {
    if (row.student == StudentDock::kNone) continue;
    const bool is_left = std::find(left.begin(), left.end(), row.id) != left.end();
    dock(row.id, is_left ? text : others);
  }
}

// A wide window has room for about 60 letters per line, and for tables.
FittedDocks student(ImGuiID rest, ImVec2 size) {
  const float steps_width =
      std::min(std::clamp(0.245f * size.x, px(392), px(540)), 0.255f * size.x);
  const ImGuiID steps = split(rest, ImGuiDir_Left, steps_width / size.x);
  const float rest_width = size.x - steps_width;
  const float maps_share = size.x < px(1500) ? 0.42f : 0.445f;
  ImGuiID maps = split(rest, ImGuiDir_Right, std::max(px(420) / rest_width, maps_share));
  const ImGuiID results = split(maps, ImGuiDir_Down, 0.40f);
  const ImGuiID below = split(rest, ImGuiDir_Down, below_editor(size) / size.y);
  dock_all(&PanelRow::student, {{StudentDock::kSteps, steps},
                                {StudentDock::kText, rest},
                                {StudentDock::kBelow, below},
                                {StudentDock::kMaps, maps},
                                {StudentDock::kResults, results}});
  return {.below_editor = below};
}

// Text and counters on the left, each map in its own dock on the right.
void analysis(ImGuiID rest) {
  ImGuiID maps = split(rest, ImGuiDir_Right, 0.60f);
  const ImGuiID below = split(rest, ImGuiDir_Down, 0.52f);
  ImGuiID results = split(maps, ImGuiDir_Down, 0.44f);
  const ImGuiID beside = split(maps, ImGuiDir_Right, 0.5f);
  const ImGuiID timeline = split(results, ImGuiDir_Right, 0.5f);
  dock_all(&PanelRow::analysis, {{AnalysisDock::kText, rest},
                                 {AnalysisDock::kBelow, below},
                                 {AnalysisDock::kMaps, maps},
                                 {AnalysisDock::kBesideMaps, beside},
                                 {AnalysisDock::kResults, results},
                                 {AnalysisDock::kTimeline, timeline}});
}

FittedDocks lecture(ImGuiID rest) {
  ImGuiID map = split(rest, ImGuiDir_Right, 0.47f);
  const ImGuiID figures = split(map, ImGuiDir_Down, 0.25f);
  const ImGuiID scene = split(rest, ImGuiDir_Down, 0.34f);
  dock_all(&PanelRow::lecture, {{LectureDock::kText, rest},
                                {LectureDock::kMap, map},
                                {LectureDock::kScene, scene},
                                {LectureDock::kFigures, figures}});
  return {.words = scene, .figures = figures};
}

FittedDocks wide(ImGuiID rest, Mode mode, ImVec2 size) {
  switch (mode) {
    case Mode::kStudent:
      return student(rest, size);
    case Mode::kAnalysis:
      analysis(rest);
      return {};
    case Mode::kMinimal: {  // the text with one panel beside it
      const ImGuiID side = split(rest, ImGuiDir_Right, 0.38f);
      dock_others(rest, {"editor"}, side);
      return {};
    }
  }
  return {};
}

}  // namespace

LayoutClass layout_class(ImVec2 size) {
  if (size.x >= 1180 && size.y >= 620) return LayoutClass::kWide;
  if (size.x >= 640) return LayoutClass::kTwo;
  return LayoutClass::kSingle;
}

std::string_view name_of(LayoutClass layout) {
  switch (layout) {
    case LayoutClass::kWide:
      return "wide";
    case LayoutClass::kTwo:
      return "two";
    case LayoutClass::kSingle:
      return "single";
    case LayoutClass::kLecture:
      return "lecture";
  }
  return "wide";
}

FittedDocks build_layout(ImGuiID dockspace, Mode mode, LayoutClass layout, ImVec2 size) {
  ImGui::DockBuilderRemoveNode(dockspace);
  ImGui::DockBuilderAddNode(dockspace,
                            static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_DockSpace));
  ImGui::DockBuilderSetNodeSize(dockspace, size);
  ImGuiID rest = dockspace;
  FittedDocks fitted;
  switch (layout) {
    case LayoutClass::kLecture:
      fitted = lecture(rest);
      break;
    case LayoutClass::kWide:
      fitted = wide(rest, mode, size);
      break;
    case LayoutClass::kTwo: {
      // The text goes into the node that remains when the others are empty.
      const ImGuiID right = split(rest, ImGuiDir_Right, 0.54f);
      dock_others(rest, {"steps", "editor"}, right);
      break;
    }
    case LayoutClass::kSingle:
      dock_others(rest, {}, rest);
      break;
  }
  ImGui::DockBuilderFinish(dockspace);
  return fitted;
}

void share_student(const FittedDocks& docks, ImVec2 size) {
  set_height(docks.below_editor, below_editor(size));
}

void share_lecture(const FittedDocks& docks, float map, float words, float figures) {
  if (const ImGuiDockNode* node = ImGui::DockBuilderGetNode(docks.figures))
    set_width(node->ParentNode, map);
  set_height(docks.words, words);
  set_height(docks.figures, figures);
}

namespace {

// The dockspace's node and all below it.
std::vector<ImGuiDockNode*> docks_of(ImGuiID dockspace) {
  std::vector<ImGuiDockNode*> out;
  std::vector<ImGuiDockNode*> nodes = {ImGui::DockBuilderGetNode(dockspace)};
  while (!nodes.empty()) {
    ImGuiDockNode* node = nodes.back();
    nodes.pop_back();
    if (node == nullptr) continue;
    nodes.push_back(node->ChildNodes[0]);
    nodes.push_back(node->ChildNodes[1]);
    out.push_back(node);
  }
  return out;
}

}  // namespace

void resize_docks(ImGuiID dockspace, ImVec2 from, ImVec2 to) {
  const ImVec2 ratio{to.x / from.x, to.y / from.y};
  for (ImGuiDockNode* node : docks_of(dockspace))
    node->SizeRef = {node->SizeRef.x * ratio.x, node->SizeRef.y * ratio.y};
}

void list_tabs(ImGuiID dockspace) {
  const ImGuiLocEntry words{ImGuiLocKey_DockingDragToUndockOrMoveNode,
                            tr("All panels of this place")};
  ImGui::LocalizeRegisterEntries(&words, 1);
  for (ImGuiDockNode* node : docks_of(dockspace)) {
    const ImGuiTabBar* tabs = node->TabBar;
    const float room = node->Size.x - 2 * ImGui::GetStyle().FramePadding.x;
    const bool fit = tabs == nullptr || tabs->Tabs.Size < 2 || tabs->WidthAllTabsIdeal <= room;
    const auto button = static_cast<ImGuiDockNodeFlags>(ImGuiDockNodeFlags_NoWindowMenuButton);
    node->SetLocalFlags(fit ? node->LocalFlags | button : node->LocalFlags & ~button);
  }
}

ImGuiWindow* panel_window(std::string_view panel_id) {
  return ImGui::FindWindowByName(window_name(panel_id, "").c_str());
}

bool in_front(const ImGuiWindow* window) {
  return !window->DockNode || window->DockNode->VisibleWindow == window;
}

std::vector<std::string> panels_in_front() {
  std::vector<std::string> panels;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows) {
    const char* id = std::strstr(window->Name, "###");
    const bool docked =
        window->DockNode && ImGui::DockNodeGetRootNode(window->DockNode)->IsDockSpace();
    if (window->WasActive && id && docked && in_front(window)) panels.emplace_back(id + 3);
  }
  return panels;
}

namespace {

// Every dock below the dockspace that has tabs.
std::vector<ImGuiTabBar*> tab_bars(ImGuiID dockspace) {
  std::vector<ImGuiTabBar*> out;
  for (ImGuiDockNode* node : docks_of(dockspace)) {
    if (node->TabBar != nullptr) out.push_back(node->TabBar);
  }
  return out;
}

}  // namespace

std::vector<std::string> tab_order(ImGuiID dockspace) {
  std::vector<std::string> out;
  for (const ImGuiTabBar* bar : tab_bars(dockspace)) {
    for (const ImGuiTabItem& tab : bar->Tabs) {
      const char* id = tab.Window ? std::strstr(tab.Window->Name, "###") : nullptr;
      if (id) out.emplace_back(id + 3);
    }
  }
  return out;
}

void restore_tab_order(ImGuiID dockspace, const std::vector<std::string>& order) {
  const auto place = [&](const ImGuiTabItem& tab) {
    const auto found = std::find_if(order.begin(), order.end(), [&](const std::string& panel) {
      return panel_window(panel) == tab.Window;
    });
    return found - order.begin();
  };
  for (ImGuiTabBar* bar : tab_bars(dockspace)) {
    std::stable_sort(
        bar->Tabs.begin(), bar->Tabs.end(),
        [&](const ImGuiTabItem& a, const ImGuiTabItem& b) { return place(a) < place(b); });
  }
}

void move_tab_forward(std::string_view panel, const std::vector<std::string_view>& company) {
  const ImGuiWindow* window = panel_window(panel);
  ImGuiTabBar* bar = window && window->DockNode ? window->DockNode->TabBar : nullptr;
  if (!bar) return;
  const auto at = std::find_if(bar->Tabs.begin(), bar->Tabs.end(),
                               [&](const ImGuiTabItem& tab) { return tab.Window == window; });
  ImGuiTabItem* to = bar->Tabs.begin() + 1;
  while (to < at && std::any_of(company.begin(), company.end(), [&](std::string_view other) {
           return panel_window(other) == to->Window;
         }))
    ++to;
  if (at != bar->Tabs.end() && to < at) std::rotate(to, at, at + 1);
}

bool text_can_be_alone() {
  const ImGuiWindow *editor = panel_window("editor"), *steps = panel_window("steps");
  if (!editor || !steps) return true;
  const auto in_middle = [](const ImGuiWindow* window) {
    return window->DockNode && window->DockNode->IsCentralNode();
  };
  return in_middle(editor) || in_middle(steps);
}

void show_tab(std::string_view panel_id) {
  ImGuiWindow* window = panel_window(panel_id);
  if (!window || !window->DockNode) return;
  // The window with the keyboard focus would keep its
  // tab in front, so within its own dock move the focus.
  const ImGuiWindow* focused = ImGui::GetCurrentContext()->NavWindow;
  if (focused && focused->RootWindow->DockNode == window->DockNode) ImGui::FocusWindow(window);
  window->DockNode->SelectedTabId = window->TabId;
  if (window->DockNode->TabBar) window->DockNode->TabBar->NextSelectedTabId = window->TabId;
}

}  // namespace warpshop::ui
