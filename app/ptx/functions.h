// Kernels and functions. PTX ISA §11.1–11.4.
#pragma once

#include "context.h"

namespace warpshop::ptx {

// `.entry name (params) .maxntid 256 { … }` or `.func (ret) name (params);` at its `.entry` or
// `.func`. What is wrong inside is that function's problem.
void parse_function(Context& context);

// `.noreturn`, `.abi_preserve 8`, …: what stands behind the parameters of a function or prototype.
void skip_call_attribute(Context& context, bool& noreturn);

}  // namespace warpshop::ptx
