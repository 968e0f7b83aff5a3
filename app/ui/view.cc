#include "view.h"

#include "imgui.h"

namespace warpshop::ui {

Greyed::Greyed(bool stale) : stale_(stale) {
  if (stale_) ImGui::PushStyleVar(ImGuiStyleVar_Alpha, ImGui::GetStyle().Alpha * 0.5f);
}

Greyed::~Greyed() {
  if (stale_) ImGui::PopStyleVar();
}

}  // namespace warpshop::ui
