// std::to_chars and std::from_chars, also where the library knows integers alone (libc++ 14, in the
// browser edition).
#pragma once

#include <charconv>
#include <optional>
#include <string_view>
#include <system_error>
#include <version>

namespace warpshop {
namespace stand_in {

// As the functions of std: the shortest text that reads back as the same number.
std::to_chars_result to_chars(char* first, char* last, float value);
std::to_chars_result to_chars(char* first, char* last, double value);
std::to_chars_result to_chars(char* first, char* last, float value, std::chars_format format);
std::to_chars_result to_chars(char* first, char* last, double value, std::chars_format format);
std::from_chars_result from_chars(const char* first, const char* last, float& value);
std::from_chars_result from_chars(const char* first, const char* last, double& value);

}  // namespace stand_in

using std::from_chars;
using std::to_chars;
#ifndef __cpp_lib_to_chars
using stand_in::from_chars;
using stand_in::to_chars;
#endif

// The whole text as a number. None: it is no number, or the type cannot hold it.
template <typename Number>
std::optional<Number> parse_number(std::string_view text) {
  Number value{};
  const auto [end, error] = from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace warpshop
