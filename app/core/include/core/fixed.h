// Formats a number with a fixed number of decimals: fixed(3.14159, 2) is "3.14".
#pragma once

#include <array>
#include <cstdio>
#include <string>

namespace warpshop {

inline std::string fixed(double value, int digits) {
  std::array<char, 400> text{};  // the largest double has 309 digits before the decimal point
  std::snprintf(text.data(), text.size(), "%.*f", digits, value);
  return text.data();
}

}  // namespace warpshop
