// Links a stretch of time in a picture of memory (partitions, DRAM) to the access that caused it,
// and back.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "timing/memory_timeline.h"

namespace warpshop::ui {

// The time [begin, end) of one partition (or channel), or of all.
struct MomentOf {
  uint64_t begin = 0, end = 0;
  std::optional<int> partition;
};

// For the last item, if the mouse is on such a stretch: a click selects the access that moves most
// of its bytes, and the scrubber and all maps follow; if that access is already selected, the click
// jumps to its line. Returns the tooltip's text about it, starting with a line break; empty if
// there is no such access.
std::string offer_heaviest(const View& view, const timing::MemoryTimeline& memory,
                           const MomentOf& moment, CommandQueue& queue);
// Like offer_heaviest(), for a known access.
std::string offer_access(const View& view, const timing::TimedAccess& access, CommandQueue& queue);

// Returns when the selected access reaches memory; empty if it goes to shared memory, or if its
// block was not simulated.
std::optional<uint64_t> moment_of_access(
    const View& view, const std::shared_ptr<const timing::MemoryTimeline>& memory);
// Draws the scrubber's mark with its tip at `tip`.
void draw_moment_mark(ImDrawList* list, ImVec2 tip);

}  // namespace warpshop::ui
