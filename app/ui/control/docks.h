// The places of the panels: the layout of their docks, the tabs in front, the panel with the
// keyboard, and the page of all labs, which replaces the panels.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/shell.h"
#include "control/open_work.h"
#include "panels/home_page.h"
#include "panels/lecture_panels.h"
#include "panels/steps_panel.h"
#include "window/layout.h"

namespace warpshop::ui {

// The panel that shows a run's main outcome: why it does not run, its speed, or what is wrong with
// its results.
const char* verdict_panel(const lab::RunResult& result);

class Docks {
 public:
  Docks(Shell& shell, OpenWork& work);

  // Draws the docks below bars of that height. `results_come`: a run may still bring panels.
  void draw_docks(float bars, bool results_come);
  void draw_panels();  // all of them, outside a lecture
  void draw_home(float bars) { home_page(shell_.view, home_, bars, shell_.queue); }

  // Its tab to the front, without the keyboard focus.
  void show(std::string panel);
  void focus(std::string panel) { focus_panel_ = std::move(panel); }
  void focus_text();  // of the open step; in analysis mode, where it has been read, its kernel
  bool shows(std::string_view panel) const;
  // True if the front tab of that panel's dock was chosen automatically, and may be replaced.
  bool gives_way_to(std::string_view panel) const;
  // The front tab of that panel's dock; "" if the dock is not on screen.
  std::string front_beside(std::string_view panel) const;
  bool is_wide() const { return layout_ == LayoutClass::kWide; }
  bool settled() const { return layout_ && layout_settles_ == 0 && focus_panel_.empty(); }

  void save_layout();
  void rebuild() { layout_rebuild_ = true; }  // for another zoom

  bool home_open() const { return home_.open; }
  void show_home();
  void leave_home();  // restores the panels as they were
  void forget_focus() { focus_panel_.clear(); }
  // Leaves without restoring; true if it was open.
  bool drop_home() { return std::exchange(home_.open, false); }

  void enter_lecture();  // the panels are remembered as they are
  void relayout() { layout_.reset(); }
  void after_lecture(bool from_home);

 private:
  void build(ImGuiID id, LayoutClass wanted, ImVec2 size);
  void bring_tabs(bool results_come);
  void bring_new_tabs_into_sight();
  void give_focus();
  void choose_panels();
  void keep_front_tab(const std::string& panel);
  void bring_back(std::vector<std::string> tabs);
  void forget_layout();
  std::filesystem::path layout_file() const;

  Shell& shell_;
  OpenWork& work_;
  HomePageState home_;
  std::vector<std::string> before_home_;  // panels that were in front
  StepTextState& step_text_;
  ImGuiID dockspace_ = 0;
  std::optional<LayoutClass> layout_;
  bool layout_rebuild_ = false;
  int layout_settles_ = 0;  // frames until a new dock has settled on its tabs
  ImVec2 dock_size_{0, 0};
  FittedDocks fitted_;
  LectureFit lecture_fit_;
  std::map<LayoutClass, std::vector<std::string>> tab_order_;  // as it was left
  std::map<LayoutClass, std::vector<std::string>> in_front_;   // likewise, in the other layouts
  std::string focus_panel_;                // takes the keyboard in the next frame
  std::vector<std::string> tabs_to_show_;  // come to the front in the next frame
  // "lab/step" whose text was shown alone in the last frame; empty: none.
  std::string read_;
  // "lab/step" without a kernel for which the student has opened other panels.
  std::string panels_wanted_in_;
  std::vector<std::string> before_text_alone_;  // panels that were in front
  std::vector<std::string> before_lecture_;     // likewise
  // Likewise, before a panel that a kernel brings, by that panel.
  std::map<std::string, std::vector<std::string>> before_it_came_;
  std::set<std::string, std::less<>> brought_;  // by the kernel: panels that are there
};

}  // namespace warpshop::ui
