// Escapes text for HTML and XML.
#pragma once

#include <string>
#include <string_view>

namespace warpshop {

// Escapes text and quoted attribute values. Whatever XML cannot represent becomes the replacement
// character U+FFFD: control characters, U+FFFE and U+FFFF, and invalid UTF-8. Carriage returns are
// dropped.
// https://www.w3.org/TR/xml/#charsets
std::string escaped(std::string_view text);

}  // namespace warpshop
