// Matches a few typed words against titles.
#pragma once

#include <optional>
#include <string_view>

namespace warpshop::ui {

// Where the name begins in a title.
enum class NameAt {
  kStart,    // "Rows of any length"
  kAnyWord,  // in a sentence around the name: "Go to the banks"
};

// Scores how well `title` matches, the best with the least number; nullopt if a word of `filter` is
// neither in it nor in `also` (a group, synonyms). Words may come in any order and case, and may be
// parts of words. A title that is what was typed comes before one that begins with it, and that
// before all others.
std::optional<int> match(std::string_view filter, std::string_view title, std::string_view also,
                         NameAt name = NameAt::kStart);

}  // namespace warpshop::ui
