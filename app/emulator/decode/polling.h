// Finds the basic blocks of a kernel that can be part of a loop that waits for another thread.
#pragma once

#include "state/decoded.h"

namespace warpshop::emulator {

// Sets DecodedProgram::polling and may_poll. A waiting loop reads memory that others change,
// through an atomic with a used result, a volatile or ordered load, a test of an mbarrier, or a
// load next to a fence or nanosleep; and it changes nothing that others could read. Anything else,
// such as counting its tries, is irrelevant.
void find_polling(DecodedProgram& program);

}  // namespace warpshop::emulator
