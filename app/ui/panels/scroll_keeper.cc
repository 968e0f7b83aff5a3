#include "panels/scroll_keeper.h"

#include <algorithm>
#include <utility>

#include "imgui.h"

namespace warpshop::ui {
namespace {

// A card's height follows its content a frame later; the new scroll position another one.
constexpr int kFramesOfGrowth = 8;

}  // namespace

void ScrollKeeper::begin(const std::string& open) {
  if (open_ && *open_ != open) frames_ = kFramesOfGrowth;
  open_ = open;
  before_ = std::exchange(blocks_, {});
}

void ScrollKeeper::block(const std::string& name) {
  blocks_.push_back({name, ImGui::GetCursorPosY()});
}

void ScrollKeeper::end() {
  if (frames_ == 0 || before_.empty()) return;
  --frames_;
  const float scroll = ImGui::GetScrollY();
  auto read = std::find_if(before_.begin(), before_.end(),
                           [&](const Block& block) { return block.top >= scroll; });
  if (read == before_.end()) --read;
  const auto now = std::find_if(blocks_.begin(), blocks_.end(),
                                [&](const Block& block) { return block.name == read->name; });
  if (now != blocks_.end() && now->top != read->top)
    ImGui::SetScrollY(scroll + now->top - read->top);
}

}  // namespace warpshop::ui
