// labs/ID/demo.toml → Demo. Private to the room.
#pragma once

#include <filesystem>
#include <optional>

#include "core/diagnostic.h"
#include "lab/demo.h"
#include "lab/lab.h"

namespace warpshop::lab {

// Nothing when the lab has no demo.toml. Every mistake is appended to `problems` with file and
// line. `lab` is read already: scenes name its steps.
std::optional<Demo> read_demo(const Lab& lab, const std::filesystem::path& data_dir,
                              Diagnostics& problems);

}  // namespace warpshop::lab
