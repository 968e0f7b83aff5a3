// Parses instruction statements and resolves forward references. PTX ISA §4.3.2.
#pragma once

#include "context.h"

namespace warpshop::ptx {

// Parses `{@p} opcode.mod operands;` at the current token. After an error has been reported,
// returns false; the caller skips the statement.
bool parse_instruction(Context& context);

// At the end of a scope, looks up the names left open in it (usually labels further down). Names
// still unknown move to the enclosing scope; at the outermost scope they become errors.
void resolve_names(Context& context);

}  // namespace warpshop::ptx
