// The three descriptors that every program expects to be open.
#pragma once

namespace warpshop::cli {

// Opens /dev/null on whichever of 0, 1 and 2 is closed. Otherwise the next file the program opens
// would get that number, and terminal output would be written into it. Call it first in main.
void open_standard_descriptors();

}  // namespace warpshop::cli
