// Bytes as text: RFC 4648, "Base 64 Encoding".
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpshop {

std::string base64(std::string_view bytes);
// Nothing if the text is not base64 with its padding.
std::optional<std::string> from_base64(std::string_view text);

}  // namespace warpshop
