// The part of a dialog that chooses a file: by its path, or by browsing the folders.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/diagnostic.h"

namespace warpshop::ui {

struct FileList {
  std::string path;    // as typed: a folder or a file
  std::string listed;  // the folder that `entries` lists
  std::vector<std::filesystem::directory_entry> entries;
};

struct FileKind {
  std::vector<std::string> extensions;  // of the files that are listed
  const char* hint = "";                // in the empty field
  const char* none = "";                // for a folder without such files
};

// Draws a field, the problems with the last choice, and the folder. Returns the file chosen in this
// frame; going to another folder clears the problems.
std::optional<std::filesystem::path> file_list(FileList& list, const FileKind& kind,
                                               Diagnostics& problems, bool appearing);

// Each message with its help. `lines`: also with its line, for mistakes in the chosen file.
void file_problems(const Diagnostics& problems, bool lines);

}  // namespace warpshop::ui
