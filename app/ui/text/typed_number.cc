#include "text/typed_number.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/ascii.h"
#include "core/charconv.h"
#include "core/grouped.h"
#include "text/format.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

constexpr std::string_view kMinus = "−";
constexpr size_t kGroup = 3;
constexpr int kDigits = 6;

// The digits of "1,048,576" if `mark` separates groups of three; nothing if it stands elsewhere.
std::optional<std::string> without_groups(std::string_view whole, char mark) {
  if (whole.find(mark) == std::string_view::npos) return std::string(whole);
  if (whole.starts_with('0')) return std::nullopt;
  std::string digits;
  size_t group = 0;  // digits since the last mark
  bool first = true;
  for (const char c : whole) {
    if (c == mark) {
      if (group == 0 || (first ? group > kGroup : group != kGroup)) return std::nullopt;
      first = false;
      group = 0;
    } else {
      digits += c;
      ++group;
    }
  }
  return group == kGroup ? std::optional(digits) : std::nullopt;
}

// In the C locale's notation; nothing if the marks make no sense.
std::optional<std::string> plain_notation(const std::string& text, char decimal, char group) {
  const size_t exponent = text.find_first_of("eE");
  const std::string mantissa = text.substr(0, exponent);
  const std::string power = exponent == std::string::npos ? "" : text.substr(exponent);
  const size_t point = mantissa.find(decimal);
  std::optional<std::string> whole = without_groups(mantissa.substr(0, point), group);
  if (whole && whole->find(' ') != std::string::npos) whole = without_groups(*whole, ' ');
  if (!whole) return std::nullopt;
  return *whole + (point == std::string::npos ? "" : "." + mantissa.substr(point + 1)) + power;
}

std::optional<double> read(const std::string& plain) {
  double value = 0;
  const char* end = plain.data() + plain.size();
  const auto [stopped, error] = from_chars(plain.data(), end, value);
  if (plain.empty() || error != std::errc() || stopped != end || !std::isfinite(value))
    return std::nullopt;
  return value;
}

}  // namespace

std::optional<double> typed_number(std::string_view text, std::string_view unit) {
  text = trimmed(text);
  if (!unit.empty() && text.size() > unit.size() && text.ends_with(unit))
    text = trimmed(text.substr(0, text.size() - unit.size()));
  std::string typed(text);
  typed = warpshop::replace_all(std::move(typed), kMinus, "-");
  for (const std::string_view space : {"\u00a0", "\u202f"})
    typed = warpshop::replace_all(std::move(typed), space, " ");
  const bool negative = typed.starts_with('-');
  if (negative || typed.starts_with('+')) typed.erase(0, 1);
  // Not "inf", which the library would read.
  if (typed.find_first_not_of("0123456789.,eE+- ") != std::string::npos) return std::nullopt;
  if (typed.starts_with('-') || typed.starts_with('+')) return std::nullopt;
  const char decimal = language().decimal_mark;
  const std::string& mark = language().group_mark;
  const char group = mark.size() == 1 ? mark.front() : decimal == ',' ? '.' : ',';
  std::optional<std::string> plain = plain_notation(typed, decimal, group);
  if (!plain && typed.find(decimal) == std::string::npos && group == '.')
    plain = plain_notation(typed, '.', ',');
  const std::optional<double> value = plain ? read(*plain) : std::nullopt;
  if (!value) return std::nullopt;
  return negative ? -*value : *value;
}

std::string number_shown(double value) {
  char text[64];
  const double size = std::abs(value);
  if (size != 0 && (size < 1e-4 || size >= 1e15)) {
    std::snprintf(text, sizeof text, "%.6g", value);
    return local_number(text);
  }
  const int before = size >= 1 ? static_cast<int>(std::log10(size)) + 1 : 0;
  const int decimals = value == std::floor(value) ? 0 : std::max(0, kDigits - before);
  std::snprintf(text, sizeof text, "%.*f", decimals, value);
  std::string out = text;
  if (out.find('.') != std::string::npos) {
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  return local_number(grouped(std::move(out)));
}

std::string with_unit(double value, std::string_view unit) {
  const bool close = unit.empty() || unit.starts_with('%') || unit.starts_with("×");
  return number_shown(value) + (close ? "" : " ") + std::string(unit);
}

}  // namespace warpshop::ui
