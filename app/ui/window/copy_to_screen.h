// A part of the back buffer on the screen, without swapping the buffers: GLX_MESA_copy_sub_buffer
// (registry.khronos.org/OpenGL/extensions/MESA/GLX_MESA_copy_sub_buffer.txt). The back buffer stays
// as it is.
#pragma once

struct GLFWwindow;

namespace warpshop::ui {

// Whether the current context's GLX can do it.
bool can_copy_parts();

// Pixels from the lower left. Only where can_copy_parts.
void copy_to_screen(GLFWwindow* window, int x, int y, int width, int height);

}  // namespace warpshop::ui
