// Help for statements outside of every function, where a stray brace has left them.
#pragma once

#include <string_view>

#include "core/diagnostic.h"

namespace warpshop::compile {

// Replaces the messages about the first such statement and what is outside below it by one that
// names the brace that has ended the function above.
void explain_statement_outside(std::string_view source, Diagnostics& diagnostics);

}  // namespace warpshop::compile
