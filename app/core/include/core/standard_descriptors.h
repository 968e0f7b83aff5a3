// The three descriptors that every program expects to be open.
#pragma once

namespace warpshop {

// Opens /dev/null in place of those of 0, 1 and 2 that are closed. Otherwise the next file that the program opens gets
// the number and what is meant for the terminal is written into it. Call it first in main.
void open_standard_descriptors();

}  // namespace warpshop
