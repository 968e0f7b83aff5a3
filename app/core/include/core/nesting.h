// Checks how deeply JSON or TOML text is nested before it is parsed. Parsers, and code that copies
// or prints their values, recurse once per level, so hostile text could overflow the stack.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostic.h"

namespace warpshop {

// No file of this program nests deeper than about five levels.
inline constexpr int kDeepestNesting = 64;

bool json_nests_too_deep(std::string_view text);

// Counts brackets and the parts of dotted keys. Returns an error of `kind` at the first place that
// is nested too deeply.
std::optional<Diagnostic> toml_nests_too_deep(std::string_view text, const std::string& file,
                                              DiagnosticKind kind);

}  // namespace warpshop
