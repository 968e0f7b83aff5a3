// Declarations of registers, variables and parameters. PTX ISA §5.4 "Variables".
#pragma once

#include "context.h"

namespace warpshop::ptx {

struct Linkage {
  bool is_extern = false;
};

// True if a declaration of a variable or register can start here, i.e. at a state space.
bool at_space(const Context& context);

// Parses `.reg .b32 %r<12>, %x;` inside a function. After an error has been reported, returns
// false; the caller skips the statement.
bool parse_registers(Context& context);

// Parses `.global .align 4 .b8 x[4] = {1, 2, 3, 4}, y;` into the module or the current function.
bool parse_variables(Context& context, Linkage linkage);

// Parses `(.param .b32 a, .param .align 8 .b8 b[16])` of a function or prototype, from its '('.
bool parse_parameters(Context& context, std::vector<Variable>& parameters);

// Declares a name in the function's innermost scope.
bool declare_variable(Context& context, const Token& name, Symbol symbol);

}  // namespace warpshop::ptx
