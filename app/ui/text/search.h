// What somebody who types a few words is looking for.
#pragma once

#include <optional>
#include <string_view>

namespace warpshop::ui {

// How well `title` fits: 0 is best; nothing where a word of `filter` is neither in it nor in `also`
// (a group, other names for the same thing). Words may come in any order and any case, and may be
// parts of words.
std::optional<int> match(std::string_view filter, std::string_view title, std::string_view also);

}  // namespace warpshop::ui
