// The operands of an instruction. PTX ISA chapter 6 "Instruction Operands".
#pragma once

#include "context.h"

namespace warpshop::ptx {

// One operand in any of the forms of Operand::Kind. `unresolved` is set when a name stands for
// nothing yet: it stays kName, to be looked up when the scope ends. False after a report.
bool parse_operand(Context& context, Operand& operand, bool& unresolved);

// What a name means in the function or the module; kName when it means nothing yet.
Operand operand_from_name(const Context& context, std::string_view name);

// "%tid", "%tid.x", "%clock64": a name of PTX ISA chapter 10 "Special Registers".
bool is_special_register(std::string_view name);

}  // namespace warpshop::ptx
