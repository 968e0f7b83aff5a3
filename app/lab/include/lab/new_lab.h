// Creates a lab from the template in assets/new-lab, which loads and proves as it is.
#pragma once

#include <filesystem>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "lab/lab.h"

namespace warpshop::lab {

// Writes the lab to `below`/ID, or to `below`/labs/ID if there is a labs/ folder, and returns the
// files. The lab is ordered after all labs of `places`; the template's id is replaced throughout.
// `title`: one line; empty: derived from the id ("warp-votes" becomes "Warp votes"). Errors
// ("usage"): not an id (is_lab_id), a lab or folder of that name already exists, a title of several
// lines. Errors ("file"): the template cannot be read or a file cannot be written; files written so
// far are left in place.
Result<std::vector<std::filesystem::path>> create_lab(const LabPlaces& places,
                                                      const std::filesystem::path& below,
                                                      std::string_view id, std::string_view title);

// The page that explains every key of a lab's files.
std::filesystem::path lab_guide();

}  // namespace warpshop::lab
