// Reads labs/ID/times.toml. Private to the room.
#pragma once

#include <vector>

#include "core/diagnostic.h"
#include "lab/lab.h"

namespace warpshop::lab {

// Empty if the lab has no times.toml. Appends every mistake to `problems` with file and line. `lab`
// has already been read: times name its steps.
std::vector<RecordedTimes> read_recorded_times(const Lab& lab, Diagnostics& problems);

}  // namespace warpshop::lab
