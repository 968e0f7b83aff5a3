// Text that others wrote, on a terminal.
#pragma once

#include <string>
#include <string_view>

namespace warpshop {

// The text with what a terminal would obey spelled out: control characters, those of 8 bits (U+0080…U+009F) too, and
// bytes that are no UTF-8 become \x1B and the like. Line ends and tabs stay, also that of "\r\n". A title, a clipboard or
// a line above is then never changed by a kernel's printf, a compiler's message or the name of a file. ECMA-48.
std::string terminal_text(std::string_view text);

// JSON for a terminal or a file: U+007F…U+009F, which JSON leaves raw, become \u009B and the like, which mean the same.
std::string terminal_json(std::string_view json);

}  // namespace warpshop
