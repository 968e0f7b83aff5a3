// Copies a part of the back buffer to the screen without swapping buffers: GLX_MESA_copy_sub_buffer
// (registry.khronos.org/OpenGL/extensions/MESA/GLX_MESA_copy_sub_buffer.txt). The back buffer is
// unchanged.
#pragma once

struct GLFWwindow;

namespace warpshop::ui {

// True if the current context's GLX supports it.
bool can_copy_parts();

// In pixels from the lower left. Requires can_copy_parts().
void copy_to_screen(GLFWwindow* window, int x, int y, int width, int height);

}  // namespace warpshop::ui
