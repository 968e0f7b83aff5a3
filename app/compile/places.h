// Where a message of the compiler belongs in the student's text.
#pragma once

#include <string>
#include <string_view>

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

// NVRTC makes the names of .file directives absolute; back to the name that it was given.
std::string with_plain_file_names(std::string ptx, const std::string& file_name);

}  // namespace warpshop::compile
