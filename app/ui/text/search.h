// Matches a few typed words against titles.
#pragma once

#include <optional>
#include <string_view>

namespace warpshop::ui {

// Scores how well `title` matches: 0 is best; nullopt if a word of `filter` is neither in it nor in
// `also` (a group, synonyms). Words may come in any order and case, and may be parts of words.
std::optional<int> match(std::string_view filter, std::string_view title, std::string_view also);

}  // namespace warpshop::ui
