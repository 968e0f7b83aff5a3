#pragma once

#include <string>
#include <string_view>

namespace warpshop {

// The text as a TOML string on one line, in its quotes.
std::string toml_string(std::string_view text);

}  // namespace warpshop
