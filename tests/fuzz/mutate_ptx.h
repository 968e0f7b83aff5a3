// Changes PTX as PTX: statements, opcodes, modifiers, operands. What comes out mostly still parses,
// which bytes changed at random mostly do not.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpshop::fuzz {

std::string mutate_ptx(std::string_view text, uint32_t seed);
// Statements of both.
std::string cross_ptx(std::string_view one, std::string_view other, uint32_t seed);

}  // namespace warpshop::fuzz
