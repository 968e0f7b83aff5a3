// Declarations of registers, variables and parameters. PTX ISA §5.4 "Variables".
#pragma once

#include "context.h"

namespace warpshop::ptx {

struct Linkage {
  bool is_extern = false;
};

// Whether a declaration of a variable or register can begin here: a state space.
bool at_space(const Context& context);

// `.reg .b32 %r<12>, %x;` inside a function. False after a report; the caller skips the statement.
bool parse_registers(Context& context);

// `.global .align 4 .b8 x[4] = {1, 2, 3, 4}, y;` into the module or the function being read.
bool parse_variables(Context& context, Linkage linkage);

// `(.param .b32 a, .param .align 8 .b8 b[16])` of functions and prototypes, from its '('.
bool parse_parameters(Context& context, std::vector<Variable>& parameters);

// Makes a name known in the innermost scope of the function.
bool declare_variable(Context& context, const Token& name, Symbol symbol);

}  // namespace warpshop::ptx
