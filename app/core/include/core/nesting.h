// How deep a text of JSON or TOML nests, found before it is parsed: parsers, and whoever copies or prints their values,
// call themselves for each level, so a text that somebody else wrote could use up the stack.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/diagnostic.h"

namespace warpshop {

// No file of this program nests deeper than some five levels.
inline constexpr int kDeepestNesting = 64;

bool json_nests_too_deep(std::string_view text);

// Brackets and the parts of dotted keys count. An error of this kind at the first place that lies too deep.
std::optional<Diagnostic> toml_nests_too_deep(std::string_view text, const std::string& file, const std::string& kind);

}  // namespace warpshop
