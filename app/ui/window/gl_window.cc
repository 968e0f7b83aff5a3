// What is the same in every system's window.
#include "window/gl_window.h"

#include <cstring>
#include <utility>

#include "imgui.h"
#include "imgui_impl_opengl3.h"
#include "window/gl.h"

namespace warpshop::ui {

void GlWindow::configure_imgui() {
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;  // we save layouts ourselves, with a version
  io.LogFilename = nullptr;
  io.ConfigFlags |= ImGuiConfigFlags_DockingEnable | ImGuiConfigFlags_NavEnableKeyboard;
  io.ConfigDockingWithShift = false;
  io.ConfigWindowsMoveFromTitleBarOnly = true;
  io.ConfigInputTextCursorBlink = false;  // a blinking cursor would require frames for ever
}

std::string GlWindow::renderer() const {
  const GLubyte* text = glGetString(GL_RENDERER);
  return text ? reinterpret_cast<const char*>(text) : "";
}

void GlWindow::draw() const {
  const ImVec4 color = ImGui::ColorConvertU32ToFloat4(clear_color_);
  glClearColor(color.x, color.y, color.z, 1);
  glClear(GL_COLOR_BUFFER_BIT);
  ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

// After a swap, the back buffer is undefined.
Picture GlWindow::whole_picture() const {
  draw();
  return back_buffer();
}

Picture GlWindow::back_buffer() const {
  Picture picture;
  pixels(picture.width, picture.height);
  const auto row = static_cast<size_t>(picture.width) * 4;
  std::vector<uint8_t> upwards(row * static_cast<size_t>(picture.height));
  glReadBuffer(GL_BACK);
  glPixelStorei(GL_PACK_ALIGNMENT, 1);
  glReadPixels(0, 0, picture.width, picture.height, GL_RGBA, GL_UNSIGNED_BYTE, upwards.data());
  picture.rgba.resize(upwards.size());
  for (int y = 0; y < picture.height; ++y) {
    std::memcpy(picture.rgba.data() + static_cast<size_t>(y) * row,
                upwards.data() + static_cast<size_t>(picture.height - 1 - y) * row, row);
  }
  for (size_t i = 3; i < picture.rgba.size(); i += 4) picture.rgba[i] = 255;
  return picture;
}

bool GlWindow::gained_focus() {
  const bool before = std::exchange(drawn_focus_, focused());
  return drawn_focus_ && !before;
}

}  // namespace warpshop::ui
