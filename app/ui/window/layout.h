// Places the panels: one layout for wide windows, one
// for narrower or zoomed windows, one for the smallest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "state/mode.h"

struct ImGuiWindow;

namespace warpshop::ui {

// Increment when a panel is added or moved: older layout files are then replaced by the default.
inline constexpr int kLayoutVersion = 6;

enum class LayoutClass { kWide, kTwo, kSingle, kLecture };
// `size` in unscaled pixels: the window's size ÷ (zoom × display scale).
LayoutClass layout_class(ImVec2 size);
std::string_view name_of(LayoutClass layout);  // for the file's name

// The docks whose height follows a lecture's contents or the size of the window; 0: not in this
// layout.
struct FittedDocks {
  ImGuiID words = 0, figures = 0;  // of a lecture
  ImGuiID below_editor = 0;        // of a student
};
// Puts every panel in its default place, see panels/panel_table.h.
FittedDocks build_layout(ImGuiID dockspace, Mode mode, LayoutClass layout, ImVec2 size);

// For a student's layout: divides the height between the code and the panels below it anew, after
// the window has changed its size.
void share_student(const FittedDocks& docks, ImVec2 size);

// For the lecture's layout: the width of the map, and the heights of the words and the figures, in
// pixels. The kernel gets the rest. 0: nothing is shown there.
void share_lecture(const FittedDocks& docks, float map, float words, float figures);

// After the dockspace's size has changed: every dock keeps its share of it.
void resize_docks(ImGuiID dockspace, ImVec2 from, ImVec2 to);

// Adds a button that lists the tabs to each dock whose tabs do not all fit. Call in every frame,
// before the dockspace.
void list_tabs(ImGuiID dockspace);

// A panel's window; null until it is first drawn.
ImGuiWindow* panel_window(std::string_view panel_id);
// True if it is not behind another tab of its dock.
bool in_front(const ImGuiWindow* window);

// The panels drawn in the last frame, except those behind another tab.
std::vector<std::string> panels_in_front();

// The panels of all docks, as their tabs stand; and the tabs in that order again, panels that are
// not in it last.
std::vector<std::string> tab_order(ImGuiID dockspace);
void restore_tab_order(ImGuiID dockspace, const std::vector<std::string>& order);

// Moves a panel's tab next to the first one of its dock, behind others of `company` there: a bar
// too narrow for all tabs hides the last ones.
void move_tab_forward(std::string_view panel, const std::vector<std::string_view>& company);

// True if the dockspace's central node, which remains even if it is empty, holds the editor or the
// steps: the student may have moved them.
bool text_can_be_alone();

// Brings a panel's tab to the front without taking the keyboard focus.
void show_tab(std::string_view panel_id);

}  // namespace warpshop::ui
