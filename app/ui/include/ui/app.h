// Opens the lab's window, or renders a picture of it off-screen.
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
  bool notes = false;     // only the speaker's notes of the lecture that another window gives
};

// Opens the window and returns when it is closed: 0, or 3 if there is no display or no OpenGL 3.3
// (reported on standard error, with a remedy).
int run(const UiOptions& options);

struct RenderOptions {
  UiOptions ui;
  std::filesystem::path file;  // .png, written atomically
  int width = 1600;            // pixels
  int height = 1000;
  bool solution = false;            // show the worked solution instead of the student's text
  bool skeleton = false;            // show the original skeleton
  std::vector<std::string> panels;  // brought to the front of their docks: "schedulers", …
  double timeout_s = 120;           // for compiling and emulating
};

// Runs the step's kernel and draws one frame of the window off-screen. Does not write any of the
// student's files. Error: no display or no OpenGL 3.3, an unknown lab or panel, or a file that
// cannot be written.
Status render_to_png(const RenderOptions& options);

}  // namespace warpshop::ui
