// Reads one lab from its folders. Private to the room; lab/lab.h finds labs by id.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/result.h"
#include "files/exercise_file.h"
#include "lab/lab.h"

namespace warpshop::lab {

// Error: file and line of every mistake found. `data_dir` holds the GPUs that a lecture's script
// may name.
Result<Lab> load_lab_file(const LabFolders& folders, std::string_view id,
                          const std::filesystem::path& data_dir);

}  // namespace warpshop::lab
