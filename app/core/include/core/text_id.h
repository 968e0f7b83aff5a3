// Content-based identifiers: equal texts have equal identifiers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpshop {

// The FNV-1a hash of the bytes (http://www.isthe.com/chongo/tech/comp/fnv/). Not safe against
// deliberate collisions.
uint64_t text_hash(std::string_view text);

// text_hash() in 16 hexadecimal digits, '-', and the length in hexadecimal.
std::string text_id(std::string_view text);

}  // namespace warpshop
