// The bytes of a case's `file=` fill, for the emulator and for a GPU.
#pragma once

#include <string>

#include "core/result.h"
#include "lab/spec.h"

namespace warpshop::lab {

// The whole file, at least as long as the buffer. Error: it cannot be read, or is too short.
Result<std::string> read_fill_file(const SpecCase& spec_case, const SpecArg& arg);

}  // namespace warpshop::lab
