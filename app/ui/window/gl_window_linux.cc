// The window on a desktop: GLFW on X11.
#include <algorithm>
#include <utility>

#include "imgui.h"
#include "imgui_impl_glfw.h"
#include "imgui_impl_opengl3.h"
#include "window/copy_to_screen.h"
#include "window/gl.h"
#include "window/gl_window.h"
#include "window/key_modifiers.h"
#include "window/shell_open.h"

namespace warpshop::ui {
namespace {

int open_windows = 0;
std::string last_glfw_error;
int input_events = 0;  // counted by the callbacks below, which GLFW calls on the window's thread
std::string dropped_file;  // the last file dropped onto the window
bool pixels_lost = false;  // the window was covered, and its pixels on the screen were lost

void on_glfw_error(int, const char* description) { last_glfw_error = description; }

// Each of these events requires a new frame.
void count_input(GLFWwindow* window) {
  glfwSetCursorPosCallback(window, [](GLFWwindow*, double, double) { ++input_events; });
  glfwSetMouseButtonCallback(window, [](GLFWwindow*, int, int, int) { ++input_events; });
  glfwSetScrollCallback(window, [](GLFWwindow*, double, double) { ++input_events; });
  glfwSetKeyCallback(window, [](GLFWwindow*, int, int, int, int) { ++input_events; });
  glfwSetCharCallback(window, [](GLFWwindow*, unsigned) { ++input_events; });
  glfwSetWindowFocusCallback(window, [](GLFWwindow*, int) { ++input_events; });
  glfwSetCursorEnterCallback(window, [](GLFWwindow*, int) { ++input_events; });
  glfwSetWindowRefreshCallback(window, [](GLFWwindow*) {
    ++input_events;
    pixels_lost = true;
  });
  glfwSetFramebufferSizeCallback(window, [](GLFWwindow*, int, int) { ++input_events; });
  glfwSetWindowCloseCallback(window, [](GLFWwindow*) { ++input_events; });
  glfwSetDropCallback(window, [](GLFWwindow*, int count, const char** paths) {
    ++input_events;
    if (count > 0) dropped_file = paths[count - 1];
  });
}

Diagnostic no_window(const std::string& what) {
  return make_error(
      "display", what + (last_glfw_error.empty() ? "" : ": " + last_glfw_error),
      "A display with OpenGL 3.3 is needed (Mesa's software renderer will do: package "
      "libgl1-mesa-dri). Without a display, use the commands on the terminal: warpshop --help.");
}

}  // namespace

Result<std::unique_ptr<GlWindow>> GlWindow::open(const GlWindowOptions& options) {
  glfwSetErrorCallback(on_glfw_error);
  if (open_windows == 0 && !glfwInit()) return no_window("no window can be opened");
  ++open_windows;
  std::unique_ptr<GlWindow> self(new GlWindow());
  glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, 3);
  glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, 3);
  glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
  glfwWindowHint(GLFW_VISIBLE, options.visible ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_MAXIMIZED, options.maximized ? GLFW_TRUE : GLFW_FALSE);
  glfwWindowHint(GLFW_SCALE_TO_MONITOR, GLFW_FALSE);
  // A lecturer may work on another screen meanwhile.
  glfwWindowHint(GLFW_AUTO_ICONIFY, GLFW_FALSE);
  glfwWindowHintString(GLFW_X11_CLASS_NAME, "warpshop");
  glfwWindowHintString(GLFW_X11_INSTANCE_NAME, "warpshop");
  int width = options.width, height = options.height;
  if (options.visible) {
    // Not larger than its screen.
    if (GLFWmonitor* monitor = glfwGetPrimaryMonitor()) {
      int x = 0, y = 0, w = 0, h = 0;
      glfwGetMonitorWorkarea(monitor, &x, &y, &w, &h);
      if (w > 200 && h > 200) {
        width = std::min(width, w);
        height = std::min(height, h);
      }
    }
  }
  self->window_ = glfwCreateWindow(width, height, options.title.c_str(), nullptr, nullptr);
  if (!self->window_) return no_window("no window with OpenGL 3.3 can be opened");
  glfwSetWindowSizeLimits(self->window_, 480, 320, GLFW_DONT_CARE, GLFW_DONT_CARE);
  glfwMakeContextCurrent(self->window_);
  glfwSwapInterval(options.visible ? 1 : 0);
  count_input(self->window_);
  self->drawn_when_read_ = options.drawn_when_read;
  self->keeps_back_buffer_ =
      self->renderer().find("llvmpipe") != std::string::npos && can_copy_parts();

  IMGUI_CHECKVERSION();
  self->imgui_ = ImGui::CreateContext();
  ImGui::GetPlatformIO().Platform_OpenInShellFn = open_in_shell;
  configure_imgui();
  if (!ImGui_ImplGlfw_InitForOpenGL(self->window_, true) ||
      !ImGui_ImplOpenGL3_Init("#version 330 core")) {
    return no_window("OpenGL could not be set up");
  }
  take_modifiers_from_events(self->window_);
  return self;
}

GlWindow::~GlWindow() {
  if (imgui_) {
    ImGui::SetCurrentContext(imgui_);
    if (ImGui::GetIO().BackendRendererUserData) ImGui_ImplOpenGL3_Shutdown();
    if (ImGui::GetIO().BackendPlatformUserData) ImGui_ImplGlfw_Shutdown();
    ImGui::DestroyContext(imgui_);
  }
  if (window_) glfwDestroyWindow(window_);
  if (--open_windows == 0) glfwTerminate();
}

bool GlWindow::wait(double timeout_s) {
  input_events = 0;
  if (timeout_s <= 0) {
    glfwPollEvents();
  } else {
    glfwWaitEventsTimeout(timeout_s);
  }
  return input_events > 0;
}

void GlWindow::wake() { glfwPostEmptyEvent(); }

void GlWindow::begin_frame() {
  ImGui_ImplOpenGL3_NewFrame();
  ImGui_ImplGlfw_NewFrame();
  ImGui::NewFrame();
}

void GlWindow::end_frame(unsigned clear_color) {
  ImGui::Render();
  if (lens_) magnifier_.add_to(*ImGui::GetDrawData(), *lens_);
  int width = 0, height = 0;
  glfwGetFramebufferSize(window_, &width, &height);
  glViewport(0, 0, width, height);
  clear_color_ = clear_color;
  steady_frames_ = width == width_ && height == height_ ? steady_frames_ + 1 : 0;
  width_ = width, height_ = height;
  if (!copies_parts()) {
    draw();
    glfwSwapBuffers(window_);
    damage_tracker_.forget();
    drawn_pixels_ = int64_t{width} * height;
    return;
  }
  if (std::exchange(pixels_lost, false)) damage_tracker_.forget();
  if (drawn_when_read_) {
    // ImGui requires textures to be created in the frame that requests them.
    for (ImTextureData* texture : ImGui::GetPlatformIO().Textures) {
      if (texture->Status == ImTextureStatus_OK) continue;
      ImGui_ImplOpenGL3_UpdateTexture(texture);
      damage_tracker_.forget();
    }
    drawn_pixels_ = 0;
    return;
  }
  const std::vector<PixelBox>& parts = draw_changed();
  // Mesa counts the rows of a part from the window's height at the time of drawing.
  glfwGetFramebufferSize(window_, &width, &height);
  if (width != width_ || height != height_) {
    glfwSwapBuffers(window_);
    damage_tracker_.forget();
    width_ = 0;
    return;
  }
  for (const PixelBox& part : parts)
    copy_to_screen(window_, part.x0, height - part.y1, part.x1 - part.x0, part.y1 - part.y0);
}

const std::vector<PixelBox>& GlWindow::draw_changed() {
  const std::vector<PixelBox>& parts = damage_tracker_.find(*ImGui::GetDrawData(), clear_color_);
  damage_tracker_.draw(*ImGui::GetDrawData());
  drawn_pixels_ = 0;
  for (const PixelBox& part : parts) drawn_pixels_ += part.pixels();
  return parts;
}

Picture GlWindow::read_picture() {
  if (!copies_parts()) return whole_picture();
  if (drawn_when_read_) draw_changed();
  return back_buffer();
}

bool GlWindow::wants_close() const { return glfwWindowShouldClose(window_) != 0; }
void GlWindow::keep_open() { glfwSetWindowShouldClose(window_, GLFW_FALSE); }
void GlWindow::close() { glfwSetWindowShouldClose(window_, GLFW_TRUE); }

bool GlWindow::focused() const { return glfwGetWindowAttrib(window_, GLFW_FOCUSED) != 0; }

std::string GlWindow::take_dropped_file() { return std::exchange(dropped_file, {}); }

float GlWindow::display_scale() const {
  float x = 1, y = 1;
  glfwGetWindowContentScale(window_, &x, &y);
  return std::clamp(std::max(x, y), 0.5f, 8.0f);
}

void GlWindow::pixels(int& width, int& height) const {
  glfwGetFramebufferSize(window_, &width, &height);
}

void GlWindow::size(int& width, int& height) const { glfwGetWindowSize(window_, &width, &height); }

void GlWindow::resize(int width, int height) { glfwSetWindowSize(window_, width, height); }

bool GlWindow::maximized() const { return glfwGetWindowAttrib(window_, GLFW_MAXIMIZED) != 0; }

bool GlWindow::full_screen() const { return glfwGetWindowMonitor(window_) != nullptr; }

namespace {

// The monitor that contains the window's centre.
GLFWmonitor* monitor_of(GLFWwindow* window) {
  int x = 0, y = 0, width = 0, height = 0, count = 0;
  glfwGetWindowPos(window, &x, &y);
  glfwGetWindowSize(window, &width, &height);
  GLFWmonitor** monitors = glfwGetMonitors(&count);
  for (int n = 0; n < count; ++n) {
    int left = 0, top = 0;
    glfwGetMonitorPos(monitors[n], &left, &top);
    const GLFWvidmode* mode = glfwGetVideoMode(monitors[n]);
    const int across = x + width / 2 - left, down = y + height / 2 - top;
    if (mode && across >= 0 && across < mode->width && down >= 0 && down < mode->height)
      return monitors[n];
  }
  return glfwGetPrimaryMonitor();
}

}  // namespace

void GlWindow::set_full_screen(bool on) {
  if (on == full_screen()) return;
  damage_tracker_.forget();
  if (!on) {
    glfwSetWindowMonitor(window_, nullptr, windowed_.x, windowed_.y, windowed_.width,
                         windowed_.height, GLFW_DONT_CARE);
    return;
  }
  GLFWmonitor* monitor = monitor_of(window_);
  const GLFWvidmode* mode = monitor ? glfwGetVideoMode(monitor) : nullptr;
  if (!mode) return;
  glfwGetWindowPos(window_, &windowed_.x, &windowed_.y);
  glfwGetWindowSize(window_, &windowed_.width, &windowed_.height);
  glfwSetWindowMonitor(window_, monitor, 0, 0, mode->width, mode->height, mode->refreshRate);
}

void GlWindow::size_in_window(int& width, int& height) const {
  size(width, height);
  if (!full_screen()) return;
  width = windowed_.width;
  height = windowed_.height;
}

void GlWindow::set_title(const std::string& title) { glfwSetWindowTitle(window_, title.c_str()); }

}  // namespace warpshop::ui
