// Refuses files that are no source text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostic.h"

namespace warpshop::compile {

// Why no compiler can read the source: UTF-16, bytes of value 0, line ends of old Macs, or brackets
// deeper than any compiler takes. None: it may be read.
std::optional<Diagnostic> unreadable(std::string_view source, const std::string& file_name);

}  // namespace warpshop::compile
