// Reading from a file descriptor although signals come.
#pragma once

#include <string>

namespace warpshop {

// Appends what can be read now, at most 64 KiB, and waits if there is nothing. Makes no system call
// but read(2), so that a locked process may use it. False: the end, or an error that errno tells.
bool read_some(int fd, std::string& text);

}  // namespace warpshop
