// Constant expressions. PTX ISA §4.5.4–4.5.6.
#pragma once

#include <optional>

#include "context.h"
#include "number.h"

namespace warpshop::ptx {

// `(1<<4)+3`, `-0x10`, `!1`, `(.u64)-1`, `1 ? 2 : 3`, `-1.5`, WARP_SZ. Empty after an error has
// been reported.
std::optional<Constant> parse_constant(Context& context);

// The same, but requires an integer.
std::optional<Constant> parse_integer(Context& context, std::string_view what);

// True if a constant can start at the current token.
bool at_constant(const Context& context);

}  // namespace warpshop::ptx
