// Where a message of the compiler belongs in the student's text.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.h"

namespace warpshop::compile {

// The name of CompileInput::trailer, and of the PTX in messages of the back end.
inline constexpr std::string_view kTrailerName = "<launch>";
inline constexpr std::string_view kPtxName = "<ptx>";

// Behind the last character that is not blank.
SourcePlace end_of_source(std::string_view source, const std::string& file_name);

// Messages about a line of the PTX: moves them to the line of the nearest .loc above it.
void place_by_ptx(std::string_view ptx, const std::string& file_name, Diagnostics& diagnostics);

// Messages of the back end without a place that name a kernel in quotes ('_Z1kPf'): moves them to
// the line that declares it.
void place_by_kernel(std::string_view source, const std::string& file_name,
                     Diagnostics& diagnostics);

// The name of a file as its reader knows it: of those below one of the folders that the compiler searches, the way from
// there; of those beside the file that is compiled, or one folder up, the way from this one. Others stay as they are.
std::string short_name(const std::string& name, const std::vector<std::filesystem::path>& searched);
// So in the diagnostics' places and texts: where this machine keeps the toolkit is nothing to a reader.
void shorten_names(const std::vector<std::filesystem::path>& searched, Diagnostics& diagnostics);

// NVRTC makes the names of .file directives absolute; back to the name that it was given, or a short one.
std::string with_plain_file_names(std::string ptx, const std::string& file_name,
                                  const std::vector<std::filesystem::path>& searched);

}  // namespace warpshop::compile
