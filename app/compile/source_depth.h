// Refuses sources so deep that a compiler runs out of stack or memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostic.h"

namespace warpshop::compile {

// The first place where the source exceeds what NVRTC, which recurses into brackets, statements and
// expressions, can take. No real code comes near the limits.
std::optional<Diagnostic> too_deep(std::string_view source, const std::string& file_name);

}  // namespace warpshop::compile
