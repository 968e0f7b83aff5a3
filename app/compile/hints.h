// What to do about frequent mistakes: fills Diagnostic::help, and says in the lab's words what
// NVRTC says in its own.
#pragma once

#include <string_view>

#include "core/diagnostic.h"

namespace warpshop::compile {

void add_hints(std::string_view source, bool has_toolkit_headers, Diagnostics& diagnostics);

// The word of CUDA C++ that was meant, most likely: "threadidx" → "threadIdx"; empty when none is
// near.
std::string_view nearest_known_name(std::string_view word);

}  // namespace warpshop::compile
