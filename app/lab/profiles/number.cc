#include "profiles/number.h"

#include <string>

#include "core/ascii.h"
#include "core/charconv.h"

namespace warpshop::lab {
namespace {

// Apostrophes and spaces that group digits in some languages: ' ’ and no-break spaces.
size_t grouping_length(std::string_view text) {
  for (const std::string_view mark : {"'", "\u2019", "\u00a0", "\u202f", "\u2009"}) {
    if (text.starts_with(mark)) return mark.size();
  }
  return 0;
}

// The text in plain notation if `decimal` is its decimal mark and `grouping` groups its thousands;
// empty if that is not possible.
std::string in_plain_notation(std::string_view text, char decimal, char grouping) {
  std::string out;
  if (text.starts_with('-') || text.starts_with('+')) {
    if (text.front() == '-') out += '-';
    text.remove_prefix(1);
  }
  size_t digits = 0;  // since the last mark
  bool grouped = false;
  while (!text.empty() && text.front() != decimal && text.front() != 'e' && text.front() != 'E') {
    if (is_digit(text.front())) {
      out += text.front();
      ++digits;
      text.remove_prefix(1);
      continue;
    }
    const size_t length = text.front() == grouping ? 1 : grouping_length(text);
    if (length == 0 || digits == 0 || digits > 3 || (grouped && digits != 3)) return {};
    // No number starts with a group of zeros: "0.125" is a fraction.
    if (!grouped && (out.starts_with('0') || out.starts_with("-0"))) return {};
    grouped = true;
    digits = 0;
    text.remove_prefix(length);
  }
  if (digits == 0 || (grouped && digits != 3)) return {};
  if (!text.empty() && text.front() == decimal) {
    out += '.';
    text.remove_prefix(1);
    if (text.empty() || !is_digit(text.front())) return {};
    while (!text.empty() && is_digit(text.front())) {
      out += text.front();
      text.remove_prefix(1);
    }
  }
  if (text.empty()) return out;
  if (text.front() != 'e' && text.front() != 'E') return {};
  out += 'e';
  text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) {
    if (text.front() == '-') out += '-';
    text.remove_prefix(1);
  }
  if (text.empty()) return {};
  for (const char c : text) {
    if (!is_digit(c)) return {};
    out += c;
  }
  return out;
}

std::string with_mark(std::string_view text, DecimalMark mark) {
  return mark == DecimalMark::kPoint ? in_plain_notation(text, '.', ',')
                                     : in_plain_notation(text, ',', '.');
}

}  // namespace

std::optional<DecimalMark> decimal_mark_of(std::string_view text) {
  const bool point = !with_mark(text, DecimalMark::kPoint).empty();
  const bool comma = !with_mark(text, DecimalMark::kComma).empty();
  if (point == comma) return std::nullopt;
  return point ? DecimalMark::kPoint : DecimalMark::kComma;
}

std::optional<double> read_grouped_number(std::string_view text, DecimalMark mark) {
  const std::string number = with_mark(text, decimal_mark_of(text).value_or(mark));
  if (number.empty()) return std::nullopt;
  return parse_number<double>(number);
}

}  // namespace warpshop::lab
