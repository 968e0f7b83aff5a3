// A lab's texts in another language: the folder labs/ID/LANG/ beside the English texts, where LANG
// is the name of one of the window's catalogues ("de"). docs/writing-a-lab.md, "Other languages".
#pragma once

#include <filesystem>
#include <string_view>

#include "core/diagnostic.h"
#include "lab/lab.h"

namespace warpshop::lab {

// Replaces the English texts with those in that folder; missing ones stay English. Appends mistakes
// to `problems` with file and line; the texts concerned stay English. False: the lab has no such
// folder.
bool translate(Lab& lab, std::string_view language, Diagnostics& problems);

// False if the lab's texts stay English in that language. Only their author knows which language
// the user's own labs are in.
bool speaks(const Lab& lab, std::string_view language);

// load_labs(), with each lab translated as far as possible.
LabLibrary load_labs_in(const std::filesystem::path& data_dir, std::string_view language);
LabLibrary load_labs_in(const LabPlaces& places, std::string_view language);

// Mistakes in all of the lab's translations, for their authors.
Diagnostics translation_problems(const Lab& lab);

}  // namespace warpshop::lab
