// The values after `=` in a declaration. PTX ISA §5.4.4 "Initializers".
#pragma once

#include "context.h"

namespace warpshop::ptx {

// Fills in `variable.initial` and `variable.relocations`; if the first dimension is 0 (`[]`), also
// its size. `width` is that of .v2 or .v4 (1 without). False after an error has been reported.
bool parse_initialiser(Context& context, Variable& variable,
                       const std::vector<uint64_t>& dimensions, int width);

// Resolves the symbols in initialisers at the end of the text, when every name is known.
void resolve_relocations(Context& context);

}  // namespace warpshop::ptx
