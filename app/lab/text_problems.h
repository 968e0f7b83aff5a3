// What is wrong in a lab's Markdown: found when the lab is loaded, so that its author sees it before a student does.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/diagnostic.h"

namespace warpshop::lab {

// Formulas that are not understood, and pictures that are missing from `folder` or broken. `text` begins at `start`; a
// file's line 1 column 1 gives each problem its own line and column, a place without a column (a string in a TOML file,
// whose own lines are not known) stays as it is. False: there were some.
bool find_text_problems(std::string_view text, const SourcePlace& start, const std::filesystem::path& folder,
                        Diagnostics& problems);

}  // namespace warpshop::lab
