// A layout in CuTe's notation as the table that CuTe prints, and the banks that a warp meets when
// it reads it: shapes, strides and swizzles to try before they are programmed.
#pragma once

#include <optional>
#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "maps/layout_reads.h"

namespace warpshop::ui {

struct LayoutViewState {
  std::string text = "(32,32):(32,1)";
  LayoutReading reading = {.down = true};
  std::string read_text;  // what `layout` was read from
  std::optional<models::Layout> layout;
  std::string problem;  // why `text` is no layout; `layout` is then the last one that was
};

// Fills the rest of the panel "banks", below its header. `view` has a result. Returns true once the
// user wants to go back to the kernel's own accesses.
bool layout_view(const View& view, LayoutViewState& state, CommandQueue& queue);

}  // namespace warpshop::ui
