// Parses PTX text into a module.
#pragma once

#include <string>
#include <string_view>

#include "core/diagnostic.h"
#include "ptx/module.h"

namespace warpshop::ptx {

struct ParseOutput {
  Module module;
  Diagnostics diagnostics;  // problems outside any function; the others are in Function::problems
};

// Accepts any `.version` and `.target`. Skips unknown directives with a note; an error inside a
// function invalidates only that function. `file_name` is used in diagnostics. Source: PTX ISA
// chapters 4, 5, 7 and 11 ("Directives").
ParseOutput parse(std::string_view text, const std::string& file_name);

}  // namespace warpshop::ptx
