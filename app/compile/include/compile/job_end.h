// How a process that had a text to compile ended without an answer, in a line between processes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compile/no_answer.h"

namespace warpshop::compile {

// Of one that has ended so (waitpid(2)), with this much memory at its largest.
std::string line_of_end(int wait_status, uint64_t peak_bytes);
// Of one that could not be locked up (core/sandbox.h).
std::string line_of_open(std::string problem);

// What such a line, without its end, says of a process that might use `most_bytes`. None: the line
// is another one.
std::optional<NoAnswer> none_of_line(std::string_view line, uint64_t most_bytes);
NoAnswer none_of_end(int wait_status, uint64_t peak_bytes, uint64_t most_bytes);

}  // namespace warpshop::compile
