// Labelled tables: `.branchtargets`, `.calltargets`, `.callprototype`. PTX ISA §11.3 "Control Flow
// Directives".
#pragma once

#include "context.h"

namespace warpshop::ptx {

// True if the current token is one of the three directives.
bool at_table(const Context& context);

// Parses the table after `label:`. After an error has been reported, returns false; the caller
// skips the statement.
bool parse_table(Context& context, const Token& label);

// At the end of a scope, resolves the labels listed in its .branchtargets.
void resolve_tables(Context& context);

}  // namespace warpshop::ptx
