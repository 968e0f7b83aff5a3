// labs/ID/times.toml → KeptTimes. Private to the room.
#pragma once

#include <vector>

#include "core/diagnostic.h"
#include "lab/lab.h"

namespace warpshop::lab {

// Nothing when the lab has no times.toml. Every mistake is appended to `problems` with file and line. `lab` is read
// already: times name its steps.
std::vector<KeptTimes> read_kept_times(const Lab& lab, Diagnostics& problems);

}  // namespace warpshop::lab
