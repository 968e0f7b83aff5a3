// Checks a lab's Markdown when the lab is loaded, so that its author sees mistakes before a student
// does.
#pragma once

#include <filesystem>
#include <string_view>

#include "core/diagnostic.h"

namespace warpshop::lab {

// Reports formulas that are not understood and pictures that are broken or missing from `folder`.
// `text` starts at `start`: with line 1, column 1 of a file, each problem gets its own line and
// column; a place without a column (a string in a TOML file, whose lines are unknown) is used as
// is. False: there were problems.
bool find_text_problems(std::string_view text, const SourcePlace& start,
                        const std::filesystem::path& folder, Diagnostics& problems);

}  // namespace warpshop::lab
