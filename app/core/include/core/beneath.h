// Files below a folder whose contents somebody else may change at any moment. Nothing here follows a link, at no place of
// a path: what is opened lies in the folder. Sources: openat2(2), openat(2).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "core/result.h"

namespace warpshop {

// Opens `relative` below the open folder; "." is the folder itself. `flags`: of open(2); O_CLOEXEC is added. Not open
// afterwards: errno says why; ELOOP where a part of the path is a link, EXDEV where it leads out of the folder.
Descriptor open_beneath(int folder, const std::filesystem::path& relative, int flags);

// The folder itself; links on the way to it are the caller's own and are followed. Not open afterwards: errno.
Descriptor open_folder(const std::filesystem::path& path);

enum class EntryKind { kFile, kFolder, kLink, kOther };
struct FolderEntry {
  std::string name;  // bytes
  EntryKind kind = EntryKind::kOther;
};

// What is in the folder `relative`, by name, without "." and "..". Error: the system's reason, by itself.
Result<std::vector<FolderEntry>> entries_beneath(int folder, const std::filesystem::path& relative);

// The whole text of a file of a folder. Error: no such file, a link anywhere below the folder, no file with text, or the
// system's reason; names `relative`.
Result<std::string> read_file_beneath(const std::filesystem::path& folder, const std::filesystem::path& relative);

}  // namespace warpshop
