// Mutates PTX as PTX: statements, opcodes, modifiers, operands. The result usually still parses,
// unlike text with bytes changed at random.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace warpshop::fuzz {

std::string mutate_ptx(std::string_view text, uint32_t seed);
// Inserts statements of `other` into `one`.
std::string cross_ptx(std::string_view one, std::string_view other, uint32_t seed);

}  // namespace warpshop::fuzz
