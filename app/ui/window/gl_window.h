// A window with OpenGL and Dear ImGui in it, visible or not; in a browser, the page's canvas.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "core/result.h"
#include "window/damage_tracker.h"
#include "window/magnifier.h"
#include "window/png_file.h"

struct GLFWwindow;
struct ImGuiContext;

namespace warpshop::ui {

struct GlWindowOptions {
  std::string title = "Warpshop";
  int width = 1600;  // pixels
  int height = 1000;
  bool maximized = false;
  bool visible = true;
  // With a software renderer, draw a frame only when its
  // picture is read, since it is not visible before.
  bool drawn_when_read = false;
};

class GlWindow {
 public:
  // Error: no display or no OpenGL 3.3; includes a remedy.
  static Result<std::unique_ptr<GlWindow>> open(const GlWindowOptions& options);
  ~GlWindow();
  GlWindow(const GlWindow&) = delete;
  GlWindow& operator=(const GlWindow&) = delete;

  // Waits for input or wake(), at most `timeout_s`; 0: only takes pending input. Returns true if
  // anything arrived.
  bool wait(double timeout_s);
  static void wake();
  // The OpenGL renderer: "NVIDIA H200/PCIe/SSE2", "llvmpipe (LLVM 15.0.6, 256 bits)".
  std::string renderer() const;  // from any thread

  void begin_frame();  // ImGui's new frame
  // Draws and shows the frame; with a software renderer, draws only what has changed.
  void end_frame(unsigned clear_color);

  Picture read_picture();                                 // of the last frame
  Picture whole_picture() const;                          // the same, redrawn completely
  int64_t drawn_pixels() const { return drawn_pixels_; }  // of the last frame
  bool wants_close() const;
  void keep_open();
  void close();
  bool focused() const;
  bool gained_focus();              // since the last call
  std::string take_dropped_file();  // since the last call; "": none
  float display_scale() const;      // 1 on ordinary displays, 2 on dense ones
  void size(int& width, int& height) const;
  void resize(int width, int height);
  bool maximized() const;
  // Fills the window's monitor in its current mode,
  // and later returns to the same position and size.
  void set_full_screen(bool on);
  bool full_screen() const;
  void size_in_window(int& width, int& height) const;  // its current size, or the one it returns to
  // Takes effect in the next frame; nullopt: no lens.
  void magnify(const std::optional<Lens>& lens) { lens_ = lens; }
  void set_title(const std::string& title);
  ImGuiContext* imgui() const { return imgui_; }

 private:
  GlWindow() = default;
  static void configure_imgui();  // the current context
  void draw() const;              // draws the last frame into the back buffer
  void pixels(int& width, int& height) const;
  // Draws only what differs from the previous frame; returns where.
  const std::vector<PixelBox>& draw_changed();
  Picture back_buffer() const;

  // Mesa's software renderer keeps the contents of the back buffer, and
  // the changed parts are copied to the screen; not in the first frames
  // after a change of size, which Mesa notices only when it swaps.
  bool copies_parts() const { return keeps_back_buffer_ && steady_frames_ >= 2; }
  bool keeps_back_buffer_ = false;
  bool drawn_when_read_ = false;
  int width_ = 0, height_ = 0, steady_frames_ = 0;
  DamageTracker damage_tracker_;
  int64_t drawn_pixels_ = 0;
  unsigned clear_color_ = 0;
  GLFWwindow* window_ = nullptr;
  ImGuiContext* imgui_ = nullptr;
  bool drawn_focus_ = true;
  struct {
    int x = 0, y = 0, width = 0, height = 0;
  } windowed_;  // before full screen
  std::optional<Lens> lens_;
  Magnifier magnifier_;
};

}  // namespace warpshop::ui
