#include "window/copy_to_screen.h"

// In its own file because of Xlib's macros ("Status", "None").
#define GLFW_EXPOSE_NATIVE_X11
#define GLFW_EXPOSE_NATIVE_GLX
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>

namespace warpshop::ui {
namespace {

using CopySubBuffer = void (*)(Display*, GLXDrawable, int x, int y, int width, int height);

CopySubBuffer copy_sub_buffer() {
  return reinterpret_cast<CopySubBuffer>(glfwGetProcAddress("glXCopySubBufferMESA"));
}

}  // namespace

bool can_copy_parts() {
  return glfwExtensionSupported("GLX_MESA_copy_sub_buffer") == GLFW_TRUE &&
         copy_sub_buffer() != nullptr;
}

void copy_to_screen(GLFWwindow* window, int x, int y, int width, int height) {
  // Look it up each time: GLFW unloads OpenGL with its last window.
  copy_sub_buffer()(glfwGetX11Display(), glfwGetGLXWindow(window), x, y, width, height);
}

}  // namespace warpshop::ui
