// The values behind `=` in a declaration. PTX ISA §5.4.4 "Initializers".
#pragma once

#include "context.h"

namespace warpshop::ptx {

// Fills `variable.initial` and `variable.relocations`; sizes the variable when its first dimension
// is 0 (`[]`). `width` is that of .v2, .v4 (1 without). False after a report.
bool parse_initialiser(Context& context, Variable& variable,
                       const std::vector<uint64_t>& dimensions, int width);

// At the end of the text, when every name is known: finds what the addresses point to.
void resolve_relocations(Context& context);

}  // namespace warpshop::ptx
