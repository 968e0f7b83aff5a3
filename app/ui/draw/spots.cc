#include "draw/spots.h"

#include <algorithm>
#include <map>
#include <string>

namespace warpshop::ui {
namespace {

struct NotedSpot {
  Spot spot;
  int frame = 0;
};

std::map<std::string, NotedSpot, std::less<>>& noted_spots() {
  static std::map<std::string, NotedSpot, std::less<>> spots;
  return spots;
}

}  // namespace

void note_spot(std::string_view name, ImVec2 min, ImVec2 max) {
  const ImDrawList* list = ImGui::GetWindowDrawList();
  const ImVec2 from = list->GetClipRectMin(), to = list->GetClipRectMax();
  min = {std::max(min.x, from.x), std::max(min.y, from.y)};
  max = {std::min(max.x, to.x), std::min(max.y, to.y)};
  if (min.x >= max.x || min.y >= max.y) return;
  noted_spots()[std::string(name)] = {{min, max}, ImGui::GetFrameCount()};
}

void note_spot(std::string_view name) {
  note_spot(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
}

std::optional<Spot> find_spot(std::string_view name) {
  const auto found = noted_spots().find(name);
  if (found == noted_spots().end() || found->second.frame + 1 < ImGui::GetFrameCount())
    return std::nullopt;
  return found->second.spot;
}

}  // namespace warpshop::ui
