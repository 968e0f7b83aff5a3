// UTF-8 as RFC 3629 has it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace warpshop {

// Bytes of the character at the start of `text`, from 1 to 4; 0 when the bytes there are none: a stray byte, a longer
// form than needed, a surrogate, beyond U+10FFFF, or cut off. `text` is not empty.
size_t utf8_length(std::string_view text);

// The text with U+FFFD for each byte that belongs to no character.
std::string valid_utf8(std::string_view text);

}  // namespace warpshop
