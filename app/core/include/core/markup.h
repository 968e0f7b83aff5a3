// Text into HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace warpshop {

// For text and for attributes in quotes. What XML has no way to write becomes the replacement character U+FFFD: control
// characters, U+FFFE and U+FFFF, and bytes that are no UTF-8. Carriage returns vanish.
// https://www.w3.org/TR/xml/#charsets
std::string escaped(std::string_view text);

}  // namespace warpshop
