// Text into HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace warpshop {

// For text and for attributes in quotes. Control characters, which XML has no way to write, become the replacement
// character; carriage returns vanish. https://www.w3.org/TR/xml/#charsets
std::string escaped(std::string_view text);

}  // namespace warpshop
