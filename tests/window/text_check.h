// Looks for text that does not fit: what all tests that walk through panels have in common.
#pragma once

#include <string>
#include <vector>

#include "draw/draw.h"
#include "imgui_te_context.h"

namespace warpshop::ui {

// The panels of Student mode.
inline constexpr const char* kPanels[] = {
    "steps",      "editor",   "transactions", "banks",      "counters",  "result", "history",
    "findings",   "warp",     "registers",    "shared",     "occupancy", "ptx",    "times",
    "schedulers", "roofline", "memory",       "partitions", "dram",      "compare"};

// Every text of one frame, once the window has settled.
std::vector<DrawnText> texts_of_frame(ImGuiTestContext* ctx);

// What does not fit, in words: clipped and not scrolled to, cut to nothing, on top of another text.
std::vector<std::string> misfits(const std::vector<DrawnText>& texts);

}  // namespace warpshop::ui
