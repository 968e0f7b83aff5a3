// Completions for the word being typed: words of the student's text first, then those of CUDA and
// C++. No drawing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpshop::ui {

inline constexpr size_t kCompletionLetters = 2;  // no suggestions for fewer

// Best first: words that start with `typed` before those that contain it, matching case before
// other case. Never `typed` itself; at most `most` words.
std::vector<std::string> completions(std::string_view text, std::string_view typed,
                                     size_t most = 8);

}  // namespace warpshop::ui
