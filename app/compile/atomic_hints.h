// Help for calls of atomics with a value where the address of a word belongs.
#pragma once

#include <string_view>

#include "core/diagnostic.h"

namespace warpshop::compile {

// Rephrases the message about atomicAdd(count[b], 1), and says what to write. False, and nothing
// done, for other messages.
bool explain_value_for_address(std::string_view source, Diagnostic& diagnostic);

// Drops notes that list templates of atomics in the compiler's own headers.
void drop_atomic_candidates(Diagnostics& diagnostics);

}  // namespace warpshop::compile
