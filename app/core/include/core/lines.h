// The lines of a text, from 1.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.h"

namespace warpshop {

// Where the line begins; npos if the text has fewer lines.
size_t offset_of_line(std::string_view text, int line);

// The line without its end; empty if the text has fewer lines, or for line 0.
std::string_view nth_line(std::string_view text, int line);

// All lines without their ends: one more than there are line ends.
std::vector<std::string_view> split_lines(std::string_view text);

// The place of the `length` bytes at offset `at`.
SourcePlace place_in_text(std::string_view text, size_t at, size_t length,
                          const std::string& file_name);

// True for a text of several lines that end as on old Macs, in '\r' alone: everywhere else, among
// compilers too, it is a single line.
bool has_only_carriage_returns(std::string_view text);

}  // namespace warpshop
