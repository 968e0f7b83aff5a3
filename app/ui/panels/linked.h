// What the maps have in common: pointing at a lane, a sector, a bank, a burst, a partition or a
// line shows the same in all of them, and a click leads to the line.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

// Do these bytes of global memory share one with what is pointed at?
bool points_at(const Pointing& pointing, uint64_t address, uint64_t bytes);

// For the last item: says what the mouse points at, and brings the editor to the line when it is
// clicked. Nothing happens where `at` names neither lanes nor memory.
void point_and_jump(const View& view, const Pointing& at, CommandQueue& queue);

}  // namespace warpshop::ui
