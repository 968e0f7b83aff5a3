// Finds text that does not fit. Shared by all tests that walk through panels.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "drawn_texts.h"
#include "imgui_te_context.h"

namespace warpshop::ui {

// The panels of Student mode.
inline constexpr const char* kPanels[] = {
    "steps",      "editor",   "transactions", "banks",      "counters",  "result", "history",
    "findings",   "warp",     "registers",    "shared",     "occupancy", "ptx",    "times",
    "schedulers", "roofline", "memory",       "partitions", "dram",      "compare"};

// All texts of one frame, once the window has settled.
std::vector<DrawnText> texts_of_frame(ImGuiTestContext* ctx);
// True if one of them contains the words.
bool is_drawn(ImGuiTestContext* ctx, std::string_view words);

// Describes the texts that do not fit: clipped and not scrollable, cut to nothing, or on top of
// another text.
std::vector<std::string> misfits(const std::vector<DrawnText>& texts);

}  // namespace warpshop::ui
