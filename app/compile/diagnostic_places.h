// Maps compiler messages to places in the student's source.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.h"

namespace warpshop::compile {

// The file name of CompileInput::trailer, and of the PTX in back-end messages.
inline constexpr std::string_view kTrailerName = "<launch>";
inline constexpr std::string_view kPtxName = "<ptx>";

// The offset of a place, from its line and column; the source's size if it has no such line.
size_t offset_of(std::string_view source, const SourcePlace& place);

// Just after the last non-blank character.
SourcePlace end_of_source(std::string_view source, const std::string& file_name);

// Where a compilation without end has its likely cause: the loop with the most iterations among
// those that a #pragma unroll precedes. Without one: line 0.
SourcePlace longest_unrolled_loop(std::string_view source, const std::string& file_name);

// Moves messages about a PTX line to the source line of the nearest .loc above it.
void place_by_ptx(std::string_view ptx, const std::string& file_name, Diagnostics& diagnostics);

// Moves back-end messages that have no place but quote a kernel ('_Z1kPf') to the line that
// declares the kernel.
void place_by_kernel(std::string_view source, const std::string& file_name,
                     Diagnostics& diagnostics);

// If the file ends in the middle of a declaration, the compiler reads on in the trailer and blames
// its first words. Says so at the end of the source instead.
void place_unfinished_end(std::string_view source, const std::string& file_name,
                          Diagnostics& diagnostics);

// A file's name as readers know it. Files below a searched folder are named relative to that
// folder; files beside the compiled file, or one folder up, relative to the compiled file. Other
// names stay as they are.
std::string short_name(const std::string& name, const std::vector<std::filesystem::path>& searched);
// Shortens the names in the diagnostics' places and texts, so that they do not show where this
// machine keeps the toolkit.
void shorten_names(const std::vector<std::filesystem::path>& searched, Diagnostics& diagnostics);

// NVRTC, which worked in the folder `here`, makes the names in .file directives absolute; restores
// the given name, or a short one.
std::string with_plain_file_names(std::string ptx, const std::string& file_name,
                                  const std::vector<std::filesystem::path>& searched,
                                  const std::filesystem::path& here);

}  // namespace warpshop::compile
