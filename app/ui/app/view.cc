#include "app/view.h"

#include "window/theme.h"

namespace warpshop::ui {

View View::of_memory(bool shared) const {
  View out = *this;
  if (lecture || !access() || access()->shared == shared) return out;
  const std::optional<size_t> nearest = prepared->accesses.nearest(*selected, shared);
  if (!nearest) return out;
  out.selected = nearest;
  out.selected_at_s = 0;  // not animated with each step of the other access
  out.substituted = true;
  return out;
}

Greyed::Greyed(bool stale) {
  if (!stale) return;
  list_ = ImGui::GetWindowDrawList();
  first_vertex_ = list_->VtxBuffer.Size;
}

// Fading the finished vertices affects every shape, whatever drew it.
Greyed::~Greyed() {
  if (!list_) return;
  for (int i = first_vertex_; i < list_->VtxBuffer.Size; ++i) {
    list_->VtxBuffer[i].col = with_alpha(list_->VtxBuffer[i].col, 0.45f);
  }
}

}  // namespace warpshop::ui
