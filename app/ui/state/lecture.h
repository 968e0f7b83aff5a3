// State of a lecture: the current scene of the lab's script, and what is revealed. No drawing.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "lab/demo.h"
#include "lab/lab.h"
#include "lab/run_result.h"
#include "maps/access_index.h"

namespace warpshop::ui {

struct Lecture {
  const lab::Lab* lab = nullptr;  // with a demo; null: no lecture is being given
  size_t scene = 0;
  bool revealed = false;
  std::set<size_t> seen;  // scenes that were revealed, and stay so
  bool goes_on = false;   // resumed where an earlier one was left, with no other scene opened yet
  std::map<size_t, std::string> edits;  // kernels edited in front of the class, by scene
  bool blank = false;                   // the screen is dark, to direct attention to the lecturer
  bool laser = false;
  bool run_after = false;  // the student's kernel had run before, and runs again afterwards
  std::string brought;     // a panel that the lecturer shows instead of the map; empty: none
  int typed = 0;           // the scene number typed so far; 0: none
  int magnified = 0;       // magnification under the mouse; 0: no magnifier
  bool clock = false;      // show the time since the start
  double started_s = 0;
  double still_until_s = 0;  // the window moves under the mouse until then
  double pointed_s = 0;      // when the mouse moved last in this scene; 0: not yet
  double leave_until_s = 0;  // Esc has been pressed, and ends the lecture if pressed again by then
  // The window was full screen before the lecture, and is again afterwards.
  bool full_screen_before = false;
  std::optional<lab::SceneNumber> number;  // for a scene that shows one, once it has run

  bool on() const { return lab != nullptr; }
  const lab::Demo& demo() const { return *lab->demo; }
  const lab::Scene& current() const { return demo().scenes[scene]; }
  bool edited() const { return edits.contains(scene); }
  const std::string& kernel() const { return edited() ? edits.at(scene) : current().source; }
  void keep_edit(const std::string& text);
  // A scene without a question hides nothing.
  bool hidden() const { return !revealed && !current().ask.empty(); }
  bool last() const { return scene + 1 == demo().scenes.size(); }
  // The panel shown in the map's place.
  std::string_view panel() const;
  // False while the arrows have nothing to step through, and turn the scenes as in a slide show.
  bool shows_accesses() const { return lab::panel_needs_access(panel()); }
};

// A published figure that the class has already seen.
struct SeenFigure {
  const lab::PublishedFigure* figure = nullptr;
  bool now = false;  // belongs to the current scene
};
// The figures of the scenes so far that have the newest one's unit; the current scene's only once
// it is revealed. Empty if the current scene has no figure and the newest one belongs to another
// step: it says nothing about this kernel.
std::vector<SeenFigure> seen_figures(const Lecture& lecture);

// For a scene about partitions: how many times an even load's time the slowest of the script's
// versions on its GPU takes, by the script's figures, so that all of them are drawn on one scale.
// 1: the script has none.
double slowest_load(const Lecture& lecture);

// The id of the panel that a scene shows.
std::string_view panel_of(const lab::Scene& scene);

// The line on which the scene's kernel starts, from 1; 1 if there is none. If the text is too long
// for the panel, the comments above the kernel are the part to scroll away.
int kernel_line(const lab::Scene& scene);
// The line that must be visible: the scene's own, else its kernel's.
int line_to_show(const lab::Scene& scene);

// The access that a scene shows (lab/shown_access.h); if an edit has removed it, the most expensive
// one to the same kind of memory.
std::optional<size_t> scene_access(const lab::Scene& scene, const AccessIndex& accesses,
                                   const lab::RunResult& result);

}  // namespace warpshop::ui
