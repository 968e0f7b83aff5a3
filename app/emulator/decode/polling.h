// Which basic blocks of a kernel can be part of a loop that waits for another thread.
#pragma once

#include "decode/decoded.h"

namespace warpshop::emulator {

// Sets DecodedProgram::polling and may_poll. A loop that waits looks at memory that others change, by an atomic whose
// result is read, a load that is volatile or ordered, a test of an mbarrier, or a load beside a fence or nanosleep; and
// it changes nothing that others could see. What else it does, such as counting its tries, plays no part.
void find_polling(DecodedProgram& program);

}  // namespace warpshop::emulator
