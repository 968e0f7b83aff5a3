// What the back end (ptxas) does to memory instructions that the PTX does not show: neighbouring shared loads
// become one wide load, unused loads vanish, vector loads shrink to the parts that are used. The values a kernel
// computes do not change; the counters do. Rules: docs/models.md, "What the back end changes".
#pragma once

#include "decode/decoded.h"

namespace warpshop::emulator {

// Fills leader, issued_bytes, issued_offset, dropped and backend_note of the access sites of a function (index in
// the module).
void apply_backend_rules(DecodedProgram& program, int function);

}  // namespace warpshop::emulator
