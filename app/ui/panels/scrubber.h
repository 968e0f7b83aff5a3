// The film of a warp's accesses: previous, next, and a bar to drag, beside the warp's name.
#pragma once

#include "app/commands.h"
#include "app/view.h"

namespace warpshop::ui {

float scrubber_height();
void scrubber(const View& view, CommandQueue& queue);

// "line 15 · block (0,0) · warp 0"; for a companion access "line 8 · the same warp"
std::string access_place(const View& view);
// "load", "store", "atomic", "reduction"
std::string_view access_word(emulator::AccessKind kind);

}  // namespace warpshop::ui
