#include "files/toml_table.h"

#include <gtest/gtest.h>

namespace warpshop::lab {
namespace {

// toml++ asks of each character between two values whether it is white space, with code that is
// undefined for most letters from U+00A1 to U+0499 (cmake/dependencies.cmake). TOML's white space
// is tab and space.
TEST(TomlTable, LettersOutsideTextsAreMistakes) {
  for (char32_t c = 0xa0; c <= 0x499; ++c) {
    const std::string letter = {static_cast<char>(0xc0 | c >> 6),
                                static_cast<char>(0x80 | (c & 0x3f))};
    EXPECT_FALSE(parse_toml("a = 1 " + letter + "\nb = 2\n", "lab.toml").ok()) << letter;
  }
}

}  // namespace
}  // namespace warpshop::lab
