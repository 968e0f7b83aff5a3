// The window in a browser: a canvas with WebGL 2. Its events come from gl_window_web.js.
#include <emscripten/emscripten.h>
#include <emscripten/html5.h>

#include <algorithm>
#include <cfloat>
#include <string_view>
#include <utility>

#include "imgui.h"
#include "imgui_impl_opengl3.h"
#include "window/browser_keys.h"
#include "window/gl.h"
#include "window/gl_window.h"
#include "window/shell_open.h"

// In gl_window_web.js.
extern "C" {
void lab_window_open();
void lab_window_wake();  // from any thread
void lab_window_copy(const char* text);
void lab_window_cursor(const char* css);
void lab_window_caret(double x, double y, double height, int typing);
void lab_window_full_screen(int on);
int lab_window_is_full_screen();
void lab_window_title(const char* title);
}

namespace warpshop::ui {
namespace {

constexpr const char* kCanvas = "#canvas";

// The page has one canvas, and its events come on the thread that draws.
struct Page {
  int width = 0, height = 0;  // pixels of the screen
  float scale = 1;            // pixels of the screen per pixel of CSS
  int input_events = 0;
  bool focused = true;
  bool closes = false;
  std::string clipboard;
  std::string dropped_file;
  double last_frame_ms = 0;
  ImGuiMouseCursor cursor = ImGuiMouseCursor_COUNT;
  bool typing = false;
  ImVec2 caret;
};
Page page;

const char* css_of(ImGuiMouseCursor cursor) {
  switch (cursor) {
    case ImGuiMouseCursor_None:
      return "none";
    case ImGuiMouseCursor_TextInput:
      return "text";
    case ImGuiMouseCursor_ResizeAll:
      return "move";
    case ImGuiMouseCursor_ResizeNS:
      return "ns-resize";
    case ImGuiMouseCursor_ResizeEW:
      return "ew-resize";
    case ImGuiMouseCursor_ResizeNESW:
      return "nesw-resize";
    case ImGuiMouseCursor_ResizeNWSE:
      return "nwse-resize";
    case ImGuiMouseCursor_Hand:
      return "pointer";
    case ImGuiMouseCursor_Wait:
    case ImGuiMouseCursor_Progress:
      return "progress";
    case ImGuiMouseCursor_NotAllowed:
      return "not-allowed";
    default:
      return "default";
  }
}

void connect_platform(ImGuiIO& io, ImGuiPlatformIO& platform) {
  io.BackendPlatformName = "browser";
  io.BackendFlags |= ImGuiBackendFlags_HasMouseCursors;
  platform.Platform_OpenInShellFn = open_in_shell;
  platform.Platform_SetClipboardTextFn = [](ImGuiContext*, const char* text) {
    page.clipboard = text;
    lab_window_copy(text);
  };
  platform.Platform_GetClipboardTextFn = [](ImGuiContext*) { return page.clipboard.c_str(); };
  platform.Platform_SetImeDataFn = [](ImGuiContext*, ImGuiViewport*, ImGuiPlatformImeData* data) {
    page.caret = data->InputPos;
    page.typing = data->WantTextInput;
    lab_window_caret(data->InputPos.x, data->InputPos.y, data->InputLineHeight,
                     data->WantTextInput ? 1 : 0);
  };
}

}  // namespace

Result<std::unique_ptr<GlWindow>> GlWindow::open(const GlWindowOptions& options) {
  std::unique_ptr<GlWindow> self(new GlWindow());
  EmscriptenWebGLContextAttributes attributes;
  emscripten_webgl_init_context_attributes(&attributes);
  attributes.majorVersion = 2;
  attributes.alpha = attributes.depth = attributes.stencil = attributes.antialias = EM_FALSE;
  const EMSCRIPTEN_WEBGL_CONTEXT_HANDLE context =
      emscripten_webgl_create_context(kCanvas, &attributes);
  if (context <= 0 || emscripten_webgl_make_context_current(context) != EMSCRIPTEN_RESULT_SUCCESS)
    return make_error("display", "this browser gives the page no WebGL 2");
  IMGUI_CHECKVERSION();
  self->imgui_ = ImGui::CreateContext();
  configure_imgui();
  connect_platform(ImGui::GetIO(), ImGui::GetPlatformIO());
  if (!ImGui_ImplOpenGL3_Init("#version 300 es"))
    return make_error("display", "WebGL 2 could not be set up");
  lab_window_open();
  self->set_title(options.title);
  return self;
}

GlWindow::~GlWindow() {
  if (!imgui_) return;
  ImGui::SetCurrentContext(imgui_);
  if (ImGui::GetIO().BackendRendererUserData) ImGui_ImplOpenGL3_Shutdown();
  ImGui::DestroyContext(imgui_);
}

// The page calls when there is something to do; see run_web.cc.
bool GlWindow::wait(double) { return std::exchange(page.input_events, 0) > 0; }

void GlWindow::wake() { lab_window_wake(); }

void GlWindow::begin_frame() {
  if (page.width != width_ || page.height != height_) {
    width_ = page.width, height_ = page.height;
    emscripten_set_canvas_element_size(kCanvas, width_, height_);
  }
  ImGuiIO& io = ImGui::GetIO();
  io.DisplaySize = {static_cast<float>(width_), static_cast<float>(height_)};
  const double now_ms = emscripten_get_now();
  io.DeltaTime = std::clamp(static_cast<float>((now_ms - page.last_frame_ms) / 1e3), 1e-4f, 1.0f);
  page.last_frame_ms = now_ms;
  ImGui_ImplOpenGL3_NewFrame();
  ImGui::NewFrame();
}

void GlWindow::end_frame(unsigned clear_color) {
  ImGui::Render();
  if (lens_) magnifier_.add_to(*ImGui::GetDrawData(), *lens_);
  glViewport(0, 0, width_, height_);
  clear_color_ = clear_color;
  draw();
  drawn_pixels_ = int64_t{width_} * height_;
  if (const ImGuiMouseCursor wanted = ImGui::GetMouseCursor(); wanted != page.cursor) {
    page.cursor = wanted;
    lab_window_cursor(css_of(wanted));
  }
}

// The browser has taken the frame: draw it again.
Picture GlWindow::read_picture() { return whole_picture(); }

bool GlWindow::wants_close() const { return page.closes; }
void GlWindow::keep_open() { page.closes = false; }
void GlWindow::close() { page.closes = true; }

bool GlWindow::focused() const { return page.focused; }

std::string GlWindow::take_dropped_file() { return std::exchange(page.dropped_file, {}); }

float GlWindow::display_scale() const { return std::clamp(page.scale, 0.5f, 8.0f); }

void GlWindow::pixels(int& width, int& height) const { width = width_, height = height_; }

void GlWindow::size(int& width, int& height) const { width = page.width, height = page.height; }

void GlWindow::resize(int, int) {}  // the canvas fills the page

bool GlWindow::maximized() const { return true; }

bool GlWindow::full_screen() const { return lab_window_is_full_screen() != 0; }

void GlWindow::set_full_screen(bool on) { lab_window_full_screen(on ? 1 : 0); }

void GlWindow::size_in_window(int& width, int& height) const { size(width, height); }

void GlWindow::set_title(const std::string& title) { lab_window_title(title.c_str()); }

}  // namespace warpshop::ui

// What gl_window_web.js calls, on the thread that draws. Positions are in pixels of the screen.
namespace {

using warpshop::ui::page;

ImGuiIO& input() {
  ++page.input_events;
  return ImGui::GetIO();
}

void take_modifiers(ImGuiIO& io, int modifiers) {
  io.AddKeyEvent(ImGuiMod_Ctrl, (modifiers & 1) != 0);
  io.AddKeyEvent(ImGuiMod_Shift, (modifiers & 2) != 0);
  io.AddKeyEvent(ImGuiMod_Alt, (modifiers & 4) != 0);
  io.AddKeyEvent(ImGuiMod_Super, (modifiers & 8) != 0);
}

}  // namespace

extern "C" {

EMSCRIPTEN_KEEPALIVE void lab_window_sized(int width, int height, double scale) {
  ++page.input_events;
  page.width = std::max(width, 1), page.height = std::max(height, 1);
  page.scale = static_cast<float>(scale);
}

EMSCRIPTEN_KEEPALIVE void lab_window_key(const char* code, const char* key, int down,
                                         int modifiers) {
  ImGuiIO& io = input();
  const ImGuiKey found = warpshop::ui::key_of_browser(code, key);
  // Ctrl+/ is Ctrl, Shift and 7 on a German keyboard.
  if (found == ImGuiKey_Slash && std::string_view(code) != "Slash") modifiers &= ~2;
  take_modifiers(io, modifiers);
  if (found != ImGuiKey_None) io.AddKeyEvent(found, down != 0);
}

EMSCRIPTEN_KEEPALIVE void lab_window_text(const char* text) {
  input().AddInputCharactersUTF8(text);
}

EMSCRIPTEN_KEEPALIVE void lab_window_pasted(const char* text) { page.clipboard = text; }

EMSCRIPTEN_KEEPALIVE void lab_window_mouse(double x, double y, int touch) {
  ImGuiIO& io = input();
  io.AddMouseSourceEvent(touch != 0 ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
  io.AddMousePosEvent(static_cast<float>(x), static_cast<float>(y));
}

EMSCRIPTEN_KEEPALIVE void lab_window_mouse_left() { input().AddMousePosEvent(-FLT_MAX, -FLT_MAX); }

EMSCRIPTEN_KEEPALIVE void lab_window_button(int button, int down, int modifiers) {
  ImGuiIO& io = input();
  take_modifiers(io, modifiers);
  io.AddMouseButtonEvent(button, down != 0);
}

EMSCRIPTEN_KEEPALIVE void lab_window_wheel(double x, double y, int modifiers) {
  ImGuiIO& io = input();
  take_modifiers(io, modifiers);
  io.AddMouseWheelEvent(static_cast<float>(x), static_cast<float>(y));
}

EMSCRIPTEN_KEEPALIVE void lab_window_focused(int on) {
  page.focused = on != 0;
  input().AddFocusEvent(on != 0);
}

EMSCRIPTEN_KEEPALIVE void lab_window_dropped(const char* file) {
  ++page.input_events;
  page.dropped_file = file;
}

// True if a text field has the focus, for which a touch screen shows its keyboard.
EMSCRIPTEN_KEEPALIVE int lab_window_typing() { return ImGui::GetIO().WantTextInput ? 1 : 0; }
}
