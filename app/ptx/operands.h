// The operands of an instruction. PTX ISA chapter 6 "Instruction Operands".
#pragma once

#include "context.h"

namespace warpshop::ptx {

// Parses one operand of any Operand::Kind. Sets `unresolved` if a name is not declared yet: the
// operand stays kName and is looked up again at the end of the scope. False after an error has been
// reported.
bool parse_operand(Context& context, Operand& operand, bool& unresolved);

// What a name refers to in the function or module; kName if nothing yet.
Operand operand_from_name(const Context& context, std::string_view name);

// True for names in PTX ISA chapter 10 "Special Registers": "%tid", "%tid.x", "%clock64".
bool is_special_register(std::string_view name);

}  // namespace warpshop::ptx
