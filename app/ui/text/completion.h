// Words that complete what is being typed: those of the student's text first, then CUDA's and
// C++'s. No drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpshop::ui {

inline constexpr size_t kCompletionLetters = 2;  // nothing is suggested for less

// Best first: words that begin with `typed` before those that hold it, its case before others.
// Never `typed` itself, at most `most` words.
std::vector<std::string> completions(std::string_view text, std::string_view typed,
                                     size_t most = 8);

}  // namespace warpshop::ui
