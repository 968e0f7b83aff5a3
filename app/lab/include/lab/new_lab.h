// Starts a lab: a copy of the template in assets/new-lab, which loads and proves as it is.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "lab/lab.h"

namespace warpshop::lab {

// Writes the folder `below`/ID with all that the lab is made of, in the order after all labs of
// `places`, and returns the files; in `below`/labs/ID where there is such a folder of labs. The
// template's own id is replaced where it stands. `title`: one line; empty: made from the id
// ("warp-votes" becomes "Warp votes"). Errors ("usage"): not an id (is_lab_id), a lab or a folder of
// that name is there already, a title of several lines. Errors ("file"): the template cannot be read
// or a file cannot be written; what was written until then is left.
Result<std::vector<std::filesystem::path>> create_lab(const LabPlaces& places,
                                                      const std::filesystem::path& below,
                                                      std::string_view id, std::string_view title);

}  // namespace warpshop::lab
