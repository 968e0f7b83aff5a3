// The program behind the window: starts it, draws its frames, and lets the controllers apply what
// was asked for. Everything else is in control/, one controller per file with its own state and
// commands.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "app/shell.h"

namespace warpshop::ui {

struct Action;
struct Controllers;

// CPU time of the window's thread in milliseconds, averaged over the last frames.
struct FrameTimes {
  double build_ms = 0;   // our panels and ImGui
  double render_ms = 0;  // submitting the frame to OpenGL, and drawing it if in software
  int frames = 0;        // drawn since the start
  double last_build_ms = 0, last_render_ms = 0;  // of the last frame only
};

class App {
 public:
  static Result<std::unique_ptr<App>> create(AppOptions options);
  ~App();
  App(const App&) = delete;
  App& operator=(const App&) = delete;

  // Waits for something to do and draws a frame if needed; without `wait`, draws one now. False
  // once the window is closed.
  bool frame(bool wait = true);
  // Seconds until the next frame, unless something happens earlier.
  double idle_timeout() const;
  // Writes the text, the settings and where the student is; nothing is lost if the program ends.
  void keep();
  // Draws a frame now, needed or not.
  void draw_now();

  void send(Command command) {
    shell_.queue.push(std::move(command));
    shell_.draw_frames(1);
  }
  // As things are now: what is done in a frame is done after it has been drawn.
  const View& view();
  const Session& session() const;
  const Lecture& lecture() const { return shell_.lecture; }
  const Settings& settings() const { return shell_.settings; }
  const TextEditor* editor() { return shell_.editor().editor.get(); }  // null until it is drawn
  const std::vector<Toast>& notices() const { return shell_.toasts.all(); }
  template <typename State>
  const State& panel() {
    return shell_.panels.of<State>();
  }
  bool busy() const;  // ignores predictions: nothing waits for them
  bool predicting() const;
  const Tour& tour() const;
  GlWindow& window() { return *shell_.window; }
  FrameTimes times() const { return times_; }
  bool is_checking_system() const;
  bool writing_report() const;
  // Time from the last edit to the frame that shows its result; 0 before the first.
  double edit_to_result_s() const;

 private:
  explicit App(AppOptions options);
  Status start();
  void start_settings();
  Status load_gpus();
  Status open_first_step();
  void begin_tour();
  bool may_close();
  void keep_settings();
  Settings to_keep() const;
  static void exit_now();
  void take_events();
  void run_timers();
  void update_view();
  void draw();
  const Action* take_editor_keys();
  void take_keys();
  void draw_frame_time();

  Shell shell_;
  Settings saved_settings_;
  Settings own_, asked_;  // at the start: as they were read, and with the options of this start
  std::unique_ptr<Controllers> control_;  // once the window is open
  Pointing pointing_;
  bool list_was_open_ = false;  // a menu or another pop-up was open in the previous frame
  double last_frame_s_ = 0;
  bool show_times_ = false;
  FrameTimes times_;
};

}  // namespace warpshop::ui
