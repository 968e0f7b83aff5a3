// Draws the path of one warp access to memory as text: which lane requests which word of which
// transaction, and which words move without being requested.
#pragma once

#include <optional>
#include <string>

#include "lab/run_result.h"

namespace warpshop::cli {

// The map with a headline, its source line, and a legend. `source`: the text of the kernel's file.
std::string access_map(const lab::KernelRun& run, const models::GpuProfile& gpu,
                       const timing::RecordedAccess& access, std::string_view source);

// '0' … '9', 'a' … 'v' for lanes 0 to 31.
char lane_glyph(int lane);

}  // namespace warpshop::cli
