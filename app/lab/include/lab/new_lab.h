// Starts a lab: a copy of the template in assets/new-lab, which loads and proves as it is.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warpshop::lab {

// Writes labs/ID, kernels/ID and solutions/ID below `data_dir`, in the order after all labs that
// are there, and returns the files. The template's own id is replaced where it stands. `title`: one
// line; empty: made from the id ("warp-votes" becomes "Warp votes"). Errors ("usage"): not an id
// (is_lab_id), a folder of that name is there already, a title of several lines. Errors ("file"):
// the template cannot be read or a file cannot be written; what was written until then is left.
Result<std::vector<std::filesystem::path>> create_lab(const std::filesystem::path& data_dir,
                                                      std::string_view id, std::string_view title);

}  // namespace warpshop::lab
