// What the student has chosen for the window, kept in user_dir()/settings.json.
#pragma once

#include <string>

#include "core/result.h"
#include "theme.h"

namespace warpshop::ui {

inline constexpr float kMinZoom = 0.75f;
inline constexpr float kMaxZoom = 4.0f;

struct Settings {
  int version = 1;
  ThemeChoice theme = ThemeChoice::kDark;
  float zoom = 1;
  bool motion = true;
  bool auto_run = true;
  std::string gpu = "h200";
  std::string lab, step;         // where the student left off
  int window_width = 1600, window_height = 1000;
  bool maximized = false;
  bool layout_locked = true;
  bool layout_changed = false;   // the student has moved a panel or a splitter
  int layout_version = 0;        // of the layout file; see layout.h

  bool operator==(const Settings&) const = default;
};

struct LoadedSettings {
  Settings settings;
  Diagnostics problems;  // a broken file: kept beside as settings.json.broken, said
};
// Missing values keep their defaults, so that settings survive an upgrade; unknown ones are ignored.
LoadedSettings load_settings();
Status save_settings(const Settings& settings);

float clamp_zoom(float zoom);

}  // namespace warpshop::ui
