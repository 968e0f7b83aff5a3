// Characters and words of ASCII text, in every locale. Bytes of other characters are neither
// letters nor digits nor white space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace warpshop {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
// Of an identifier: a letter, digit or underscore.
constexpr bool is_word_character(char c) { return is_letter(c) || is_digit(c) || c == '_'; }
constexpr bool is_white_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
constexpr char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

std::string lower(std::string_view text);
std::string_view trimmed(std::string_view text);  // without surrounding white space
bool is_identifier(std::string_view text);
// The first place from `from` on where `word` is a whole word; npos: none, or `word` is empty.
size_t find_word(std::string_view text, std::string_view word, size_t from = 0);
std::string replace_all(std::string text, std::string_view from, std::string_view to);
std::string hexadecimal(uint64_t value);  // "0x7f"

}  // namespace warpshop
