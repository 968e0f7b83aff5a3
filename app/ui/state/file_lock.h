// Locks a file against other windows of the same work. The lock ends with its process, however it
// ends.
#pragma once

#include <filesystem>

namespace warpshop::ui {

// Opens the file, creates it if needed, and locks it: its descriptor, which holds the lock until it
// is closed. -1 with errno EWOULDBLOCK if another window holds it, or with the system's reason.
int open_locked(const std::filesystem::path& file);

}  // namespace warpshop::ui
