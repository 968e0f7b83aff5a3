// Reads `[step.exercise]` of a lab file. Private to the room.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>

#include "core/diagnostic.h"
#include "files/toml_table.h"
#include "lab/lab.h"

namespace warpshop::lab {

// The folders that hold a lab's files.
struct LabFolders {
  std::filesystem::path texts;  // lab.toml is here
  std::filesystem::path kernels;
  std::filesystem::path solutions;
};

// Appends mistakes to `problems` and returns what could be read.
Exercise read_exercise(const toml::table& table, const LabFolders& folders,
                       const std::string& lab_file, Diagnostics& problems);

// Reads the file that a key names; reports a diagnostic at the key if it is missing, outside its
// folder, or not UTF-8 text.
std::string read_named_file(TomlTable& table, const Placed<std::string>& name,
                            const std::filesystem::path& folder);

}  // namespace warpshop::lab
