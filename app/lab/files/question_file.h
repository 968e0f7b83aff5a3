// Reads what a lab file asks: questions, estimates, further questions, contracts. Private to the
// room. Each appends mistakes to `problems` and returns what could be read.
#pragma once

#include <toml++/toml.h>

#include <filesystem>
#include <string>

#include "core/diagnostic.h"
#include "lab/lab.h"

namespace warpshop::lab {

// `place` names the question, "coalescing/stride/0": the order in which its choices are shown
// follows from it alone, so that it is the same for a whole class and in every language.
Question read_question(const toml::table& raw, const std::string& place,
                       const std::filesystem::path& folder, const std::string& file,
                       Diagnostics& problems);
FurtherQuestion read_further(const toml::table& raw, const std::filesystem::path& folder,
                             const std::string& file, Diagnostics& problems);
Estimate read_estimate(const toml::table& raw, const std::filesystem::path& folder,
                       const std::string& file, Diagnostics& problems);
Contract read_contract(const toml::table& raw, const std::filesystem::path& folder,
                       const std::string& file, Diagnostics& problems);

}  // namespace warpshop::lab
