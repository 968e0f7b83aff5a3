// Content-based identifiers: equal texts have equal identifiers.
#pragma once

#include <string>
#include <string_view>

namespace warpshop {

// The FNV-1a hash of the bytes (64 bits, 16 hexadecimal digits;
// http://www.isthe.com/chongo/tech/comp/fnv/), '-', and the length in hexadecimal. Not safe against
// deliberate collisions.
std::string text_id(std::string_view text);

}  // namespace warpshop
