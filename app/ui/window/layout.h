// Where the panels are: a layout for wide windows, one for narrower or zoomed ones, one for the
// smallest.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "state/mode.h"

struct ImGuiWindow;

namespace warpshop::ui {

// Raised when a panel is added or moved: older layout files are then replaced by the default.
inline constexpr int kLayoutVersion = 6;

enum class LayoutClass { kWide, kTwo, kSingle, kLecture };
// `size` in unscaled pixels: the window's over zoom and display scale.
LayoutClass layout_class(ImVec2 size);
std::string_view name_of(LayoutClass layout);  // for the file's name

// Puts every panel where it belongs by default.
void build_layout(ImGuiID dockspace, Mode mode, LayoutClass layout, ImVec2 size);

// Of the lecture's layout: the words and the figures get the height that they need, in pixels, the
// kernel and the map the rest. 0: nothing is shown there.
void share_lecture(float words, float figures);

// A dock whose tabs do not all fit has a button that lists them. Before the dockspace, in every
// frame.
void list_tabs(ImGuiID dockspace);

// A panel's window; null before it was drawn for the first time.
ImGuiWindow* panel_window(std::string_view panel_id);
// Whether it is not behind another tab of its dock.
bool in_front(const ImGuiWindow* window);

// The panels that were in the last frame, but for those behind another tab.
std::vector<std::string> panels_in_front();

// Whether the dock's middle, which stays though it is empty, holds the editor or the steps: the
// student may have put them elsewhere.
bool text_can_be_alone();

// Brings a panel's tab to the front without taking the keyboard.
void show_tab(std::string_view panel_id);

}  // namespace warpshop::ui
