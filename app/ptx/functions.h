// Kernels and functions. PTX ISA §11.1–11.4.
#pragma once

#include "context.h"

namespace warpshop::ptx {

// Parses `.entry name (params) .maxntid 256 { … }` or `.func (ret) name (params);`, starting at
// `.entry` or `.func`. Errors inside are recorded as the function's problems.
void parse_function(Context& context);

// Skips `.noreturn`, `.abi_preserve 8`, … after the parameters of a function or prototype.
void skip_call_attribute(Context& context, bool& noreturn);

}  // namespace warpshop::ptx
