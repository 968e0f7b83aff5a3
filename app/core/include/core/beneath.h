// Opens files below a folder whose contents someone else may change at any time. No part of a path
// may be a symbolic link, so whatever is opened is really inside the folder. Sources: openat2(2),
// openat(2).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "core/result.h"

namespace warpshop {

// Opens `relative` below the open folder; "." is the folder itself. `flags` are those of open(2);
// O_CLOEXEC is added. On failure the descriptor is closed and errno gives the reason: ELOOP if a
// component of the path is a link, EXDEV if the path leaves the folder.
Descriptor open_beneath(int folder, const std::filesystem::path& relative, int flags);

// Opens the folder itself. Links in `path` are the caller's own and are followed. On failure:
// errno.
Descriptor open_folder(const std::filesystem::path& path);

enum class EntryKind { kFile, kFolder, kLink, kOther };
struct FolderEntry {
  std::string name;  // raw bytes
  EntryKind kind = EntryKind::kOther;
};

// Lists the folder `relative`, sorted by name, without "." and "..". Error: the system's reason
// alone.
Result<std::vector<FolderEntry>> entries_beneath(int folder, const std::filesystem::path& relative);

// Reads a whole text file of a folder. Error: the file does not exist, there is a link anywhere
// below the folder, the file is not text, or the system's reason; names `relative`.
Result<std::string> read_file_beneath(const std::filesystem::path& folder,
                                      const std::filesystem::path& relative);

}  // namespace warpshop
