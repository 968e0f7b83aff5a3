// A name for a text: the same text has the same.
#pragma once

#include <string>
#include <string_view>

namespace warpshop {

// 16 hexadecimal digits of the bytes' FNV-1a hash (64 bits; http://www.isthe.com/chongo/tech/comp/fnv/), '-', and their
// number in hexadecimal. Not for texts that someone would forge.
std::string text_id(std::string_view text);

}  // namespace warpshop
