#include "panels/linked.h"

#include "imgui.h"

namespace warpshop::ui {

bool points_at(const Pointing& pointing, uint64_t address, uint64_t bytes) {
  return pointing.bytes > 0 && pointing.address < address + bytes &&
         address < pointing.address + pointing.bytes;
}

void point_and_jump(const View& view, const Pointing& at, CommandQueue& queue) {
  if (at.lanes == 0 && at.bytes == 0) return;
  queue.point_at(at);
  if (at.line <= 0 || view.lecture) return;
  if (!ImGui::IsItemHovered()) return;
  ImGui::SetMouseCursor(ImGuiMouseCursor_Hand);
  if (ImGui::IsItemClicked())
    queue.push(command::GoTo{{.file = view.result()->file_name, .line = at.line, .column = 1}});
}

}  // namespace warpshop::ui
