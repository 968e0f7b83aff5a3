#include "own_kernel/host_number.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "core/charconv.h"
#include "own_kernel/host_arithmetic.h"

namespace warpshop::lab {

bool HostNumber::depends_on(const std::set<std::string>& sizes) const {
  return std::any_of(names.begin(), names.end(),
                     [&](const auto& constant) { return sizes.contains(constant.first); });
}

std::optional<std::string> HostNumber::in_lab_file(const std::set<std::string>& sizes,
                                                   int divisor) const {
  const std::optional<HostArithmetic::Value> undivided = HostArithmetic(words, names, sizes).run();
  if (!undivided) return std::nullopt;
  const HostArithmetic::Value by{.number = static_cast<double>(divisor)};
  std::string text = (divisor == 1 ? *undivided : HostArithmetic::quotient(*undivided, by)).text();
  if (text.starts_with('(') && text.find(')') == text.size() - 1)
    text = text.substr(1, text.size() - 2);
  return text;
}

std::string HostNumber::over_n(const std::set<std::string>& sizes) const {
  std::string out;
  for (size_t at = 0; at < words.size(); ++at) {
    const std::string& word = words[at];
    const auto constant = names.find(word);
    const bool closing = word == ")" || word == ",";
    const bool call =
        word == "(" && at > 0 && is_name(words[at - 1]) && !names.contains(words[at - 1]);
    const bool after_open = at > 0 && words[at - 1] == "(";
    if (at > 0 && !closing && !call && !after_open) out += ' ';
    out += constant == names.end() ? word
           : sizes.contains(word)  ? "n"
                                   : plain_number(constant->second.value);
  }
  return out;
}

std::string plain_number(double value) {
  std::array<char, 32> text{};
  const bool whole = value == std::trunc(value) && std::abs(value) < 9e15;
  const auto end = whole ? to_chars(text.begin(), text.end(), static_cast<int64_t>(value))
                         : to_chars(text.begin(), text.end(), value);
  return {text.begin(), end.ptr};
}

}  // namespace warpshop::lab
