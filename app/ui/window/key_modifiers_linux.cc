#include <GLFW/glfw3.h>

#include <array>

#include "imgui_impl_glfw.h"
#include "imgui_internal.h"
#include "window/key_modifiers.h"

namespace warpshop::ui {
namespace {

struct Modifier {
  int bit;
  ImGuiKey key;
};
constexpr std::array kModifiers = {
    Modifier{GLFW_MOD_CONTROL, ImGuiMod_Ctrl}, Modifier{GLFW_MOD_SHIFT, ImGuiMod_Shift},
    Modifier{GLFW_MOD_ALT, ImGuiMod_Alt}, Modifier{GLFW_MOD_SUPER, ImGuiMod_Super}};

// Queues the event's modifiers, and drops those that ImGui queues from GLFW's state.
template <typename Forward>
void with_modifiers(int mods, const Forward& forward) {
  ImGuiIO& io = ImGui::GetIO();
  for (const Modifier& modifier : kModifiers)
    io.AddKeyEvent(modifier.key, (mods & modifier.bit) != 0);
  ImVector<ImGuiInputEvent>& queue = ImGui::GetCurrentContext()->InputEventsQueue;
  const int before = queue.Size;
  forward();
  for (int n = queue.Size - 1; n >= before; --n) {
    if (queue[n].Type == ImGuiInputEventType_Key && (queue[n].Key.Key & ImGuiMod_Mask_) != 0)
      queue.erase(&queue[n]);
  }
}

void forward_button(GLFWwindow* window, int button, int action, int mods) {
  with_modifiers(mods, [&] { ImGui_ImplGlfw_MouseButtonCallback(window, button, action, mods); });
}

}  // namespace

void forward_key(GLFWwindow* window, int key, int scancode, int action, int mods) {
  // On X11, the event of a modifier has the modifiers from before it.
  if (key >= GLFW_KEY_LEFT_SHIFT && key <= GLFW_KEY_RIGHT_SUPER) {
    ImGui_ImplGlfw_KeyCallback(window, key, scancode, action, mods);
  } else {
    with_modifiers(mods, [&] { ImGui_ImplGlfw_KeyCallback(window, key, scancode, action, mods); });
  }
}

void take_modifiers_from_events(GLFWwindow* window) {
  glfwSetKeyCallback(window, forward_key);
  glfwSetMouseButtonCallback(window, forward_button);
}

}  // namespace warpshop::ui
