// PTX text → module.
#pragma once

#include <string>
#include <string_view>

#include "core/diagnostic.h"
#include "ptx/module.h"

namespace warpshop::ptx {

struct ParseOutput {
  Module module;
  Diagnostics diagnostics;  // problems outside any function; those inside are in Function::problems
};

// Any `.version` and `.target` is taken; unknown directives are skipped with a note; an error inside a
// function spoils that function only. `file_name` is what diagnostics name.
// Source: PTX ISA chapters 4, 5, 7 and 11 ("Directives").
ParseOutput parse(std::string_view text, const std::string& file_name);

}  // namespace warpshop::ptx
