// The frame of a panel: its tab, its heading, and what it says if it has nothing to show.
#pragma once

#include <string>
#include <string_view>

#include "imgui.h"

namespace warpshop::ui {

// A dockable panel: rounded, in the panel colour, with its name as a heading unless the dock shows
// tabs. `id` is stable ("steps"); `title` may change. With ImGuiWindowFlags_NoNavInputs the arrow
// keys step through the accesses that the panel shows instead of moving between its items, which
// remain reachable with Tab.
class Panel {
 public:
  Panel(std::string_view id, std::string_view title, ImGuiWindowFlags flags = 0);
  ~Panel();
  Panel(const Panel&) = delete;
  Panel& operator=(const Panel&) = delete;
  explicit operator bool() const { return visible_; }
  // Draws the heading row, with `context` right-aligned in the secondary colour. `inset`: pixels at
  // the right end reserved for the panel's own use.
  void header(std::string_view title, std::string_view context = {}, float inset = 0);
  bool tabbed() const { return tabbed_; }

 private:
  bool visible_ = false;
  bool tabbed_ = false;
};
// True if the focused panel uses the arrow keys to step through accesses.
bool arrows_walk_accesses();
std::string window_name(std::string_view id, std::string_view title);  // "Title###id"

// Fills a panel that has nothing to show with a sentence in its middle.
void empty_panel(std::string_view sentence, std::string_view hint = {});

}  // namespace warpshop::ui
