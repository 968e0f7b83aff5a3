#include "app/view.h"

#include "window/theme.h"

namespace warpshop::ui {

Greyed::Greyed(bool stale) {
  if (!stale) return;
  list_ = ImGui::GetWindowDrawList();
  first_vertex_ = list_->VtxBuffer.Size;
}

// Fading the finished vertices reaches every shape, whoever drew it.
Greyed::~Greyed() {
  if (!list_) return;
  for (int i = first_vertex_; i < list_->VtxBuffer.Size; ++i) {
    list_->VtxBuffer[i].col = with_alpha(list_->VtxBuffer[i].col, 0.45f);
  }
}

}  // namespace warpshop::ui
