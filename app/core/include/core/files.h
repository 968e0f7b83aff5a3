// File access and the folders that the program uses.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "core/result.h"

namespace warpshop {

// The largest text that is read, and the largest data: the contents of a buffer, fonts, journals.
// Without a limit, a device or a wrong file would fill the memory.
inline constexpr size_t kMostTextBytes = size_t{64} << 20;
inline constexpr size_t kMostDataBytes =
    SIZE_MAX / 4 < uint64_t{4} << 30 ? SIZE_MAX / 4 : size_t{4} << 30;

// Reads the whole file as bytes. Error: names the path and gives the system's reason, or `most`.
Result<std::string> read_file(const std::filesystem::path& path, size_t most = kMostTextBytes);
Result<std::string> read_standard_input();

// Expands a path typed by the user: "~/…" means the home folder, as in a shell.
std::filesystem::path path_as_typed(const std::string& text);

// The diagnostic kinds of write_file_atomically when the disk or the user's quota is full, and when
// the folder is read-only or another user's.
inline constexpr DiagnosticKind kDiskFull = "disk-full", kNotWritable = "not-writable";

// Replaces the file atomically: a reader, or a crash, sees the old text or the new text, never a
// mixture. Writes and flushes a temporary file beside it, then renames it. Creates missing parent
// folders. Files for which is_written_in_place() holds are written directly. Error: the path and
// the system's reason.
Status write_file_atomically(const std::filesystem::path& path, std::string_view content);
// True for devices, pipes and sockets, including /dev/null and /dev/stdout: renaming a regular file
// over one of them would break it for every other program.
bool is_written_in_place(const std::filesystem::path& path);

// The folder that holds labs/, kernels/, solutions/, assets/ and fonts/: $WARPSHOP_DATA, else the
// installed share/warpshop next to the program's bin/, else share/warpshop in the build tree, whose
// entries link to the sources.
std::filesystem::path data_dir();

// The folder with the student's work: $WARPSHOP_HOME, else $XDG_DATA_HOME/warpshop, else
// ~/.local/share/warpshop (XDG Base Directory Specification). This call does not create it.
std::filesystem::path user_dir();

// Other programs' settings: $XDG_CONFIG_HOME, else ~/.config.
std::filesystem::path config_base();

// Downloads that can be fetched again (toolkit wheels, fonts): $WARPSHOP_CACHE, else
// $XDG_CACHE_HOME/warpshop, else ~/.cache/warpshop.
std::filesystem::path cache_dir();

}  // namespace warpshop
