// Scans C++ source text without a compiler: tells code from comments and strings, and matches
// braces.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpshop {

// Skips a comment, string, character literal or preprocessor line that starts at `at`. Returns `at`
// itself if there is none.
size_t past_unread(std::string_view text, size_t at);

// Finds the '{' most likely to be missing its '}' when the one at `from` is never closed: the first
// one closed by a '}' that is indented less than the statement that opened it; if there is none,
// the last one still open at the end. Both are offsets into `text`.
size_t unclosed_brace(std::string_view text, size_t from);

}  // namespace warpshop
