// UTF-8, RFC 3629.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpshop {

// Length in bytes of the character at the start of `text`, 1 to 4; 0 if it is invalid: a stray
// byte, an overlong form, a surrogate, a code point above U+10FFFF, or a truncated sequence. `text`
// must not be empty.
size_t utf8_length(std::string_view text);

// The code point of one valid character, which is all of `character`; of a single byte, that byte.
uint32_t code_point(std::string_view character);

// Marks that reorder the text around them, so that it reads as something else. Unicode UAX #9, 2.
bool is_bidirectional(uint32_t code);

// Why a text with bytes of value 0 may have them: true for UTF-16, with or without a byte order
// mark, as some editors and shells on Windows write it.
bool looks_like_utf16(std::string_view text);

// Replaces every byte that is not part of a character by U+FFFD.
std::string valid_utf8(std::string_view text);

}  // namespace warpshop
