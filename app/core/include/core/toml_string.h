#pragma once

#include <string>
#include <string_view>

namespace warpshop {

// A TOML string on one line, in its quotes; control characters become blanks.
std::string toml_string(std::string_view text);

}  // namespace warpshop
