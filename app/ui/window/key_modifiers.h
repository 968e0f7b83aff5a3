// Modifiers of key presses and clicks as each event reports them. GLFW's own state goes wrong when
// a window manager takes a chord such as Ctrl+Alt+Down: the releases never arrive.
#pragma once

struct GLFWwindow;

namespace warpshop::ui {

// After ImGui has set its callbacks, which it still calls.
void take_modifiers_from_events(GLFWwindow* window);

// The callback for keys.
void forward_key(GLFWwindow* window, int key, int scancode, int action, int mods);

}  // namespace warpshop::ui
