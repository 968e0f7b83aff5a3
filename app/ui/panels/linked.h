// Linking between the maps: pointing at a lane, sector, bank, burst, partition or line highlights
// it in all of them, and a click jumps to the line.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

// True if this range of global memory overlaps the memory pointed at.
bool points_at(const Pointing& pointing, uint64_t address, uint64_t bytes);

// For the last item: reports what the mouse points at, and moves the editor to its line on a click.
// Does nothing if `at` names neither lanes nor memory.
void point_and_jump(const View& view, const Pointing& at, CommandQueue& queue);

}  // namespace warpshop::ui
