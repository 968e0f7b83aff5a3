// One instruction statement, and the names that it could not know yet. PTX ISA §4.3.2.
#pragma once

#include "context.h"

namespace warpshop::ptx {

// `{@p} opcode.mod operands;` at the token at hand. False after a report; the caller skips the
// statement.
bool parse_instruction(Context& context);

// When a scope ends: looks up the names left open in it (labels further down, most often). What is
// still unknown goes to the scope around it, and at the outermost one becomes a problem.
void resolve_names(Context& context);

}  // namespace warpshop::ptx
