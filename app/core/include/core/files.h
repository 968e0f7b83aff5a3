// Files and the folders the program uses.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"

namespace warpshop {

// The whole file as bytes. Error: names the path and the system's reason.
Result<std::string> read_file(const std::filesystem::path& path);

// What a person typed: "~/…" is in the home folder, as in a shell.
std::filesystem::path path_as_typed(const std::string& text);

// The kind of an error of write_file_atomically where the disk, or the user's share of it, is full.
inline constexpr const char* kDiskFull = "disk-full";

// Writes so that a reader or a crash sees the old text or the new text, never a part: a temporary file
// beside it, flushed, then renamed. Creates missing parent folders. What is_written_in_place is written to as it is.
// Error: path and the system's reason.
Status write_file_atomically(const std::filesystem::path& path, std::string_view content);
// Tells devices, pipes and sockets, /dev/null and /dev/stdout among them: a file in their place would take them away
// from everybody.
bool is_written_in_place(const std::filesystem::path& path);

// Where labs/, kernels/, solutions/, assets/ and fonts/ are. $WARPSHOP_DATA, else the installed
// share/warpshop beside the program's bin/, else share/warpshop of the build tree, whose entries are
// links to the sources.
std::filesystem::path data_dir();

// Where the student's work is kept: $WARPSHOP_HOME, else $XDG_DATA_HOME/warpshop, else
// ~/.local/share/warpshop (XDG Base Directory Specification). Not created by this call.
std::filesystem::path user_dir();

// Fetched things that can be fetched again (toolkit wheels, fonts): $WARPSHOP_CACHE, else
// $XDG_CACHE_HOME/warpshop, else ~/.cache/warpshop.
std::filesystem::path cache_dir();

}  // namespace warpshop
