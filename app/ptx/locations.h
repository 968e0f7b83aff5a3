// Source locations: `.loc` and `.file`. PTX ISA §11.5 "Debugging Directives".
#pragma once

#include "context.h"

namespace warpshop::ptx {

// Parses all `.loc FILE LINE COLUMN{, function_name LABEL{+N}, inlined_at FILE LINE COLUMN}` that
// come here, and sets context.line.
void parse_locs(Context& context);

// Parses `.file N "name"{, time, size}` into Module::files.
void parse_file(Context& context);

// The compiler gives a load that it hoists out of a loop, or otherwise moves, line 0. Such loads
// get the line of the next instruction that depends on what they load.
void place_moved_loads(Function& function);

}  // namespace warpshop::ptx
