// Tells another process, in one line, why a compiling process ended without an answer.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "compile/no_answer.h"

namespace warpshop::compile {

// The line for a process with this status of waitpid(2) and this peak memory.
std::string line_of_end(int wait_status, uint64_t peak_bytes);
// The line for a process that could not be locked (core/sandbox.h).
std::string line_of_open(std::string problem);

// Parses such a line, without its line end. `most_bytes`: the memory limit of the process. None: it
// is another line.
std::optional<NoAnswer> none_of_line(std::string_view line, uint64_t most_bytes);
NoAnswer none_of_end(int wait_status, uint64_t peak_bytes, uint64_t most_bytes);

}  // namespace warpshop::compile
