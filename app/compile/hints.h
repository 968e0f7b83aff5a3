// Help for common mistakes: fills in Diagnostic::help and rephrases NVRTC's messages in the labs'
// terms.
#pragma once

#include <string_view>

#include "core/diagnostic.h"

namespace warpshop::compile {

void add_hints(std::string_view source, bool has_toolkit_headers, Diagnostics& diagnostics);

// The text between the first pair of quotes after `after`.
std::string_view quoted(std::string_view text, std::string_view after, char quote);

// The CUDA C++ name most likely meant: "threadidx" → "threadIdx". Empty if none is close.
std::string_view nearest_known_name(std::string_view word);

}  // namespace warpshop::compile
