// Reads labs/ID/demo.toml. Private to the room.
#pragma once

#include <filesystem>
#include <optional>

#include "core/diagnostic.h"
#include "lab/demo.h"
#include "lab/lab.h"

namespace warpshop::lab {

// Nothing if the lab has no demo.toml. Appends every mistake to `problems` with file and line.
// `lab` has already been read: scenes name its steps.
std::optional<Demo> read_demo(const Lab& lab, const std::filesystem::path& data_dir,
                              Diagnostics& problems);

}  // namespace warpshop::lab
