// A lab's texts in another language: the folder labs/ID/LANG/ beside the English ones, where LANG is
// the name of a catalogue of the window ("de"). docs/writing-a-lab.md, "Other languages".
#pragma once

#include <filesystem>
#include <string_view>

#include "core/diagnostic.h"
#include "lab/lab.h"

namespace warpshop::lab {

// Puts the texts of that folder in the place of the English ones; what it lacks stays English.
// Mistakes are appended to `problems` with file and line, and the text in question stays English.
// False: the lab has no such folder.
bool translate(Lab& lab, std::string_view language, Diagnostics& problems);

// load_labs(), each lab in the language as far as it speaks it.
LabLibrary load_labs_in(const std::filesystem::path& data_dir, std::string_view language);
LabLibrary load_labs_in(const LabPlaces& places, std::string_view language);

// The mistakes of all languages that the lab has, for who writes them.
Diagnostics translation_problems(const Lab& lab);

}  // namespace warpshop::lab
