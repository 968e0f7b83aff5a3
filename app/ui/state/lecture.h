// A lecture being given: which scene of the lab's script, and what of it is revealed. No drawing.
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
  std::set<size_t> seen;  // scenes that were revealed: each is as it was left
  bool goes_on = false;   // where an earlier one was left, and no other scene was opened yet
  std::map<size_t, std::string> edits;  // kernels changed in front of the class, by scene
  bool blank = false;                   // the screen is dark: eyes to the front
  bool laser = false;
  bool run_after = false;  // the student's kernel had been run before, and is again
  std::string brought;     // a panel that the lecturer has put in the map's place; empty: none
  int typed = 0;           // the number of a scene, as far as it is typed; 0: none
  int magnified = 0;   // how many times what is under the mouse is shown larger; 0: no magnifier
  bool clock = false;  // the time since the start is shown
  double started_s = 0;
  bool full_screen_before =
      false;  // the window filled the screen before the lecture, and does so afterwards
  std::optional<lab::SceneNumber> number;  // of a scene that shows one, once it has run

  bool on() const { return lab != nullptr; }
  const lab::Demo& demo() const { return *lab->demo; }
  const lab::Scene& current() const { return demo().scenes[scene]; }
  bool edited() const { return edits.contains(scene); }
  const std::string& kernel() const { return edited() ? edits.at(scene) : current().source; }
  void keep_edit(const std::string& text);
  // A scene without a question has nothing to hide.
  bool hidden() const { return !revealed && !current().ask.empty(); }
  bool last() const { return scene + 1 == demo().scenes.size(); }
  // The panel in the map's place.
  std::string_view panel() const;
};

// A published figure that the class has seen by now.
struct SeenFigure {
  const lab::PublishedFigure* figure = nullptr;
  bool now = false;  // of the current scene
};
// Those of the scenes so far with the unit of the newest; the current scene's only once it is
// revealed. A scene that has none itself shows those of its own step alone: they say nothing about
// another kernel.
std::vector<SeenFigure> seen_figures(const Lecture& lecture);

// The panel that a scene shows, by its id.
std::string_view panel_of(const lab::Scene& scene);

// The line with which the scene's kernel begins, from 1: where it is too long for the panel, the
// comments above it are what nobody misses. 1 where there is none.
int kernel_line(const lab::Scene& scene);
// The line that has to be in sight: the scene's own, else its kernel's.
int line_to_show(const lab::Scene& scene);

// The access that a scene shows (lab::shown_access); where the text has been changed so that there
// is none, the costliest of the same memory.
std::optional<size_t> scene_access(const lab::Scene& scene, const AccessIndex& accesses,
                                   const lab::RunResult& result);

}  // namespace warpshop::ui
