// Shows a magnified part of the window on top of everything.
#pragma once

#include <memory>

#include "imgui.h"

namespace warpshop::ui {

struct Lens {
  ImVec2 at{0, 0};  // the fixed point: the mouse position
  float factor = 2;
  ImVec2 min{0, 0}, max{0, 0};  // the lens itself, pixels
  ImU32 ground = 0;             // opaque background
  ImU32 border = 0;
  float thickness = 1;  // of the border, pixels
};

// Appends enlarged copies of the triangles under the lens after the frame's last draw list. They
// stay sharp, whatever drew them, and the lens does not magnify itself.
class Magnifier {
 public:
  // Call after ImGui::Render. The added list lives until the next call.
  void add_to(ImDrawData& frame, const Lens& lens);

 private:
  std::unique_ptr<ImDrawList> list_;
};

}  // namespace warpshop::ui
