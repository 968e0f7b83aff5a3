// The student's settings of the window, stored in user_dir()/settings.json.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/result.h"
#include "state/mode.h"
#include "window/theme.h"

namespace warpshop::ui {

inline constexpr float kMinZoom = 0.75f;
inline constexpr float kMaxZoom = 4.0f;
// In a lecture, whose text is already scaled to the
// screen: above this, no kernel fits beside its map.
inline constexpr float kMaxLectureZoom = 1.5f;
inline constexpr size_t kMostRecent = 12;

struct Settings {
  int version = 1;
  Mode mode = Mode::kStudent;
  ThemeChoice theme = ThemeChoice::kDark;
  float zoom = 1;
  // On top of the scale that a lecture derives from the screen's height. Separate from `zoom`,
  // since a desk's zoom says nothing about a lecture hall's.
  float lecture_zoom = 1;
  std::string language;  // a catalogue's id, see text.h; empty: the system's
  bool motion = true;
  bool digits = false;                  // numbers and hatching in addition to colours
  std::string line_measure = "memory";  // figure for each line of the editor; see line_figures.h
  bool auto_run = true;
  bool everything = false;  // in the labs' texts: also what waits for answers and passes
  bool wrap = true;         // wrap long lines of code
  std::string gpu = "h200";
  std::string second_gpu = "8800-gt";  // with which the first is compared
  // Where kernels are measured, see devices.h, and the command lines of workers elsewhere.
  std::string measure_on = "auto";
  int measure_gpu = -1;
  std::vector<std::string> workers;
  // Changed shortcuts: action id → chord; see actions.h.
  std::map<std::string, std::string> keys;
  std::string lab, step;  // where the student left off
  // The position in its text, from 0; top_line is the first visible line.
  int caret_line = 0, caret_column = 0, top_line = 0;
  std::vector<std::string> recent;  // "lab/step", most recent first
  std::string tour;                 // the step of the tour; see tour.h
  bool tour_open = false;           // true in the very first session
  int window_width = 1600, window_height = 1000;
  bool maximized = false;
  bool layout_locked = true;
  bool layout_changed = false;  // the student has moved a panel or a splitter
  int layout_version = 0;       // of the layout file; see layout.h

  // Settings of a newer version, as a JSON object; written back unchanged.
  std::string unknown = "{}";

  bool operator==(const Settings&) const = default;
};

struct LoadedSettings {
  Settings settings;
  Diagnostics problems;  // a broken file is kept as settings.json.broken and reported here
};
// Missing values get their defaults and unknown ones are kept, so that settings survive an upgrade
// and a downgrade.
LoadedSettings load_settings();
Status save_settings(const Settings& settings);

float clamp_zoom(float zoom);
// The next larger (1) or smaller (-1) step from any zoom: 75, 80, 90, 100, 110, 125, 150, 175, 200,
// 250, 300, 400%, as in browsers. Stops at the last one.
float next_zoom(float zoom, int direction);

}  // namespace warpshop::ui
