// How far apart two words are, to guess what was meant.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpshop {

// Insertions, deletions, replacements and swaps of neighbours (optimal string alignment), upper and lower case alike.
size_t spelling_distance(std::string_view a, std::string_view b);

// True where one may be a misspelling of the other: at most one mistake in three letters, and at most two.
bool is_near(std::string_view a, std::string_view b);

}  // namespace warpshop
