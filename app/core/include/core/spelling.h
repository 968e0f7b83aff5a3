// Edit distance, for "did you mean" suggestions.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpshop {

// Counts insertions, deletions, substitutions and swaps of neighbours (optimal string alignment),
// ignoring case.
size_t spelling_distance(std::string_view a, std::string_view b);

// True if one word may be a misspelling of the other: at most one mistake per three letters, and
// two in all.
bool is_near(std::string_view a, std::string_view b);

}  // namespace warpshop
