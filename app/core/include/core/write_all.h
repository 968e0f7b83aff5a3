// Writing to a file descriptor without giving up half way.
#pragma once

#include <string_view>

namespace warpshop {

// Writes all of the text, however many write(2) it takes. False: errno says why.
bool write_all(int fd, std::string_view text);

}  // namespace warpshop
