// Makes untrusted text safe to print on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace warpshop {

// Escapes everything a terminal would act on: control characters, including the 8-bit ones
// (U+0080…U+009F), and invalid UTF-8 become \x1B and the like, and marks that change the direction
// of the text \u202E. Line ends (including "\r\n") and
// tabs stay. A kernel's printf, a compiler message or a file name can thus never change the window
// title, the clipboard or an earlier line. ECMA-48.
std::string terminal_text(std::string_view text);

// Makes JSON safe for a terminal or a file: U+007F…U+009F and marks that change the direction of
// the text, which JSON leaves raw, become the equivalent escapes \u007F and so on.
std::string terminal_json(std::string_view json);

}  // namespace warpshop
