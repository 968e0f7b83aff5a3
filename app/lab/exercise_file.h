// Reads `[step.exercise]` of a lab file. Private to the room.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>

#include "core/diagnostic.h"
#include "lab/lab.h"
#include "toml_table.h"

namespace warpshop::lab {

// The folders a lab's files are taken from.
struct LabFolders {
  std::filesystem::path texts;      // lab.toml is here
  std::filesystem::path kernels;
  std::filesystem::path solutions;
};

// Mistakes are appended to `problems`; what could be read is returned.
Exercise read_exercise(const toml::table& table, const LabFolders& folders,
                       const std::string& lab_file, Diagnostics& problems);

// The text of a file that a key names; a diagnostic at the key when it cannot be had: missing,
// outside its folder, not UTF-8 text.
std::string read_named_file(TomlTable& table, const Placed<std::string>& name,
                            const std::filesystem::path& folder);

}  // namespace warpshop::lab
