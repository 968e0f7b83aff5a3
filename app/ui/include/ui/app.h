// The window of the lab, and a picture of it without a window on a screen.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/result.h"

namespace warpshop::ui {

struct UiOptions {
  std::string lab;        // opened first; empty: where the student left off
  std::string step;       // empty: the first step that is not passed
  std::string gpu;        // empty: as in the settings
  std::string theme;      // "dark", "light", "system"; empty: as in the settings
  float zoom = 0;         // 1 is 100%; 0: as in the settings
  std::string language;   // a catalogue of assets/text: "en"; empty: as in the settings
  std::string mode;       // "student", "analysis", "minimal", "lecture"; empty: as in the settings
  int scene = 1;          // of the lecture, from 1
  bool revealed = false;  // the scene's question is answered
};

// Opens the window and returns when it is closed: 0, or 3 when there is no display or no OpenGL 3.3
// (said on standard error, with what to do).
int run(const UiOptions& options);

struct RenderOptions {
  UiOptions ui;
  std::filesystem::path file;  // .png, written whole or not at all
  int width = 1600;            // pixels
  int height = 1000;
  bool solution = false;  // the worked solution in the editor in place of the student's text
  bool skeleton = false;  // the untouched skeleton
  std::vector<std::string> panels;  // in front of the others of their docks: "schedulers", …
  double timeout_s = 120;           // for compiling and emulating
};

// Draws one frame of the window off-screen, after the step's kernel has been run. Nothing of the
// student's is written. Error: no display or no OpenGL 3.3, an unknown lab or panel, a file that
// cannot be written.
Status render_to_png(const RenderOptions& options);

}  // namespace warpshop::ui
