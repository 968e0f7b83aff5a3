// Labels that stand before a table: `.branchtargets`, `.calltargets`, `.callprototype`.
// PTX ISA §11.3 "Control Flow Directives".
#pragma once

#include "context.h"

namespace warpshop::ptx {

// Whether the directive at the token at hand is one of the three.
bool at_table(const Context& context);

// The table behind `label:`. False after a report; the caller skips the statement.
bool parse_table(Context& context, const Token& label);

// When a scope ends: finds the labels that its .branchtargets name.
void resolve_tables(Context& context);

}  // namespace warpshop::ptx
