// Effects of the back end (ptxas) on memory instructions that are not visible in the PTX:
// neighbouring shared loads become one wide load, unused loads vanish, vector loads shrink to the
// parts that are used. The values that a kernel computes do not change, but the counters do. Rules:
// docs/models.md, "What the back end changes".
#pragma once

#include "state/decoded.h"

namespace warpshop::emulator {

// Sets leader, issued_bytes, issued_offset, dropped and backend_note of the access sites of a
// function (an index in the module).
void apply_backend_rules(DecodedProgram& program, int function);

}  // namespace warpshop::emulator
