// Names as the student wrote them.
#pragma once

#include <string>

namespace warpshop::emulator {

// A variable's name in the source: "tile" for _ZZ9transposePKfPfiE4tile.
std::string readable_name(const std::string& name);

// A kernel's name as in a launch: "scale", "lab::scale<3>".
std::string kernel_title(const std::string& symbol);

}  // namespace warpshop::emulator
