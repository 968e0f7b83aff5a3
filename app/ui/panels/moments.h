// From a stretch of time in a picture of memory (partitions, DRAM) to the access that made it, and
// back.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "app/commands.h"
#include "app/view.h"
#include "timing/memory_timeline.h"

namespace warpshop::ui {

// Time from `begin` to before `end`, of one partition (or channel) or of all.
struct MomentOf {
  uint64_t begin = 0, end = 0;
  std::optional<int> partition;
};

// For the last item, where the mouse is on such a stretch: a click selects the access that moves
// most of it, and the scrubber and all maps follow; on the access that is selected already it leads
// to the line. Returns what a tooltip says about it, with a line break before; empty where there is
// none.
std::string offer_heaviest(const View& view, const timing::MemoryTimeline& memory,
                           const MomentOf& moment, CommandQueue& queue);
// The same of one access that is known.
std::string offer_access(const View& view, const timing::TimedAccess& access, CommandQueue& queue);

// When the selected access reaches memory; none: it goes to shared memory, or its block was not
// played.
std::optional<uint64_t> moment_of_access(
    const View& view, const std::shared_ptr<const timing::MemoryTimeline>& memory);
// The scrubber's mark, with its tip at `tip`.
void draw_moment_mark(ImDrawList* list, ImVec2 tip);

}  // namespace warpshop::ui
