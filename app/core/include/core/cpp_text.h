// C++ source text as far as it can be read without a compiler: what is code in it, and where its braces are.
#pragma once

#include <cstddef>
#include <string_view>

namespace warpshop {

bool is_word_character(char c);   // of a name or number

// Past a comment, a string, a character or a preprocessor line that begins at `at`; `at` itself where none does.
size_t past_unread(std::string_view text, size_t at);

// The '{' that most likely has lost its '}', where nothing closes the one at `from`: the first one that is closed by a
// '}' further left than its own statement begins; where there is none, the last one that is open at the end. Both are
// offsets in `text`.
size_t unclosed_brace(std::string_view text, size_t from);

}  // namespace warpshop
