// Shows a part of the window larger, above everything.
#pragma once

#include <memory>

#include "imgui.h"

namespace warpshop::ui {

struct Lens {
  ImVec2 at{0, 0};  // what stays where it is: the place under the mouse
  float factor = 2;
  ImVec2 min{0, 0}, max{0, 0};  // the lens itself, pixels
  ImU32 ground = 0;             // opaque, below what it shows
  ImU32 border = 0;
  float thickness = 1;  // of the border, pixels
};

// Copies the frame's triangles that the lens shows, larger, behind its last list: whoever drew
// them, they stay sharp, and the lens does not see itself.
class Magnifier {
 public:
  // After ImGui::Render. The lists that it adds live until the next call.
  void add_to(ImDrawData& frame, const Lens& lens);

 private:
  std::unique_ptr<ImDrawList> list_;
};

}  // namespace warpshop::ui
