// What the student has chosen for the window, kept in user_dir()/settings.json.
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
// Of a lecture, whose text has its part of the screen already: beyond it no kernel fits beside its
// map.
inline constexpr float kMaxLectureZoom = 1.5f;
inline constexpr size_t kMostRecent = 12;

struct Settings {
  int version = 1;
  Mode mode = Mode::kStudent;
  ThemeChoice theme = ThemeChoice::kDark;
  float zoom = 1;
  float lecture_zoom =
      1;  // beside what the screen's height gives a lecture: a desk's size says nothing of a hall's
  std::string language;  // a catalogue's id, see text.h; empty: as the system says
  bool motion = true;
  bool digits = false;                  // numbers and hatching beside colours
  std::string line_measure = "memory";  // what the editor says of each line; see line_figures.h
  bool auto_run = true;
  bool wrap = true;  // long lines of the code
  std::string gpu = "h200";
  std::string second_gpu = "8800-gt";  // that the first is compared with
  // Where kernels are measured, as devices.h has it, and the command lines of workers elsewhere.
  std::string measure_on = "auto";
  int measure_gpu = -1;
  std::vector<std::string> workers;
  std::map<std::string, std::string>
      keys;               // action id → chord, of those that were changed; see actions.h
  std::string lab, step;  // where the student left off
  int caret_line = 0, caret_column = 0,
      top_line = 0;                 // and where in its text, from 0; top_line is the first in sight
  std::vector<std::string> recent;  // "lab/step", the last one first
  std::string tour;                 // the step of the tour; see tour.h
  bool tour_open = false;           // true in the first session of all
  int window_width = 1600, window_height = 1000;
  bool maximized = false;
  bool layout_locked = true;
  bool layout_changed = false;  // the student has moved a panel or a splitter
  int layout_version = 0;       // of the layout file; see layout.h

  // What a newer version has written, as a JSON object: it is written back as it was.
  std::string unknown = "{}";

  bool operator==(const Settings&) const = default;
};

struct LoadedSettings {
  Settings settings;
  Diagnostics problems;  // a broken file: kept beside as settings.json.broken, said
};
// Missing values keep their defaults and unknown ones are kept, so that settings survive an upgrade
// and the way back.
LoadedSettings load_settings();
Status save_settings(const Settings& settings);

float clamp_zoom(float zoom);
// The next larger step, 1, or smaller one, -1, from any zoom: 75, 80, 90, 100, 110, 125, 150, 175,
// 200, 250, 300, 400 %, as browsers have them. The last one stays.
float next_zoom(float zoom, int direction);

}  // namespace warpshop::ui
