// What the controllers share: the window, the settings, the notices, and what the next frames need.
#pragma once

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "app/command_table.h"
#include "app/commands.h"
#include "app/view.h"
#include "draw/pictures.h"
#include "models/gpu_profile.h"
#include "panels/dialogs.h"
#include "panels/editor_panel.h"
#include "panels/panel_states.h"
#include "panels/toasts.h"
#include "state/lecture.h"
#include "state/settings.h"
#include "state/tour.h"
#include "ui/app.h"
#include "window/gl_window.h"
#include "work/run_worker.h"

namespace warpshop::ui {

struct AppOptions {
  UiOptions ui;
  GlWindowOptions window;
  bool own_size = false;   // use the size in `window`; else the size from the settings
  bool read_only = false;  // write nothing, and do not read the settings
  // How long closing waits for a run: everything is saved, and a compiler may take minutes.
  double last_wait_seconds = 2;
  bool solution = false;  // start with the worked solution as the text, for pictures
  bool skeleton = false;
  bool tour = false;           // offer the tour on first use
  RunWorker::Factory runner;   // empty: lab::Runner
  std::optional<bool> driver;  // whether this machine has an NVIDIA driver; none: detect
};

struct Shell {
  explicit Shell(AppOptions chosen);

  double now() const;  // seconds since the start

  void say(std::string text, std::string_view topic = {});
  void say(const Diagnostics& problems);
  void say(const Status& status);  // nothing if it is a success
  // With a link that opens it. True if the user has it already: see hand_over().
  bool say_saved(std::string text, const std::filesystem::path& path);

  // At least so many frames are drawn from now on, even if nothing happens.
  void draw_frames(int count) { frames_due = std::max(frames_due, count); }
  void stay_active_until(double time_s) { active_until_s = std::max(active_until_s, time_s); }

  // A command of one controller that another needs done at once.
  void apply(const Command& command) { commands.apply(command); }
  void apply_queue();

  const models::GpuProfile* profile_of(std::string_view id) const;  // null if unknown
  EditorPanelState& editor() { return panels.of<EditorPanelState>(); }

  const AppOptions options;
  Settings settings;
  Pictures pictures;  // of labs' texts; declared before the window, so destroyed after it
  std::unique_ptr<GlWindow> window;
  std::vector<models::GpuProfile> gpus;
  CommandQueue queue;
  CommandTable commands;
  Toasts toasts;
  std::string saved;  // the file or folder saved last
  PanelStates panels;
  DialogState dialog;
  Lecture lecture;         // on while one is given
  bool following = false;  // the session has the lecturer's text, not the student's
  TourFacts facts;
  View view;  // of the last frame
  int frames_due = 3;
  double active_until_s = 0;  // frames are drawn at full rate until then

 private:
  double start_s_ = 0;
};

}  // namespace warpshop::ui
