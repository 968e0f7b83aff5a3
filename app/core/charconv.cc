#include "core/charconv.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>

#include "core/ascii.h"

namespace warpshop::stand_in {
namespace {

void parse(const char* text, double& value) { value = std::strtod(text, nullptr); }
void parse(const char* text, float& value) { value = std::strtof(text, nullptr); }

// The number d.ddd × 10^exponent.
struct Digits {
  std::string digits;  // without trailing zeros
  int exponent = 0;
};

Digits rounded(double value, int count) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*e", count - 1, value);
  const std::string_view all(text);
  const size_t e = all.find('e');
  Digits out{std::string(all.substr(0, 1)), std::atoi(text + e + 1)};
  if (count > 1) out.digits += all.substr(2, e - 2);
  return out;
}

template <typename T>
bool reads_back(const Digits& digits, T value) {
  const int last = digits.exponent - static_cast<int>(digits.digits.size()) + 1;
  T back = 0;
  parse((digits.digits + "e" + std::to_string(last)).c_str(), back);
  return back == value;
}

// The shortest digits of a positive number. At a power of two the neighbour below is closer than
// the one above, so the nearest digits may read back as another number while the next above do not.
template <typename T>
bool shortest(T value, int count, Digits& out) {
  out = rounded(value, count);
  if (reads_back(out, value)) return true;
  uint64_t number = std::strtoull(out.digits.c_str(), nullptr, 10) + 1;
  out.digits = std::to_string(number);
  if (static_cast<int>(out.digits.size()) > count) {
    out.digits.pop_back();
    ++out.exponent;
  }
  return reads_back(out, value);
}

template <typename T>
Digits shortest(T value) {
  int enough = std::numeric_limits<T>::max_digits10, too_few = 0;
  Digits best;
  while (enough - too_few > 1) {
    const int count = (enough + too_few) / 2;
    (shortest(value, count, best) ? enough : too_few) = count;
  }
  shortest(value, enough, best);
  best.digits.erase(best.digits.find_last_not_of('0') + 1);
  return best;
}

std::string scientific(const Digits& digits) {
  std::string out = digits.digits.substr(0, 1);
  if (digits.digits.size() > 1) out += "." + digits.digits.substr(1);
  char exponent[8];
  std::snprintf(exponent, sizeof exponent, "e%+03d", digits.exponent);
  return out + exponent;
}

std::string fixed(const Digits& digits, double value) {
  const auto count = static_cast<int>(digits.digits.size());
  if (digits.exponent >= count - 1) {  // an integer, with all its digits
    char text[400];
    std::snprintf(text, sizeof text, "%.0f", value);
    return text;
  }
  if (digits.exponent < 0) {
    return "0." + std::string(static_cast<size_t>(-digits.exponent - 1), '0') + digits.digits;
  }
  const auto whole = static_cast<size_t>(digits.exponent) + 1;
  return digits.digits.substr(0, whole) + "." + digits.digits.substr(whole);
}

// `format`: chars_format{} for the shorter of both forms.
template <typename T>
std::to_chars_result write(char* first, char* last, T value, std::chars_format format) {
  std::string text;
  const T size = std::abs(value);
  if (std::isnan(value)) {
    text = "nan";
  } else if (std::isinf(value)) {
    text = "inf";
  } else {
    const Digits digits = size == 0 ? Digits{"0", 0} : shortest(size);
    text = scientific(digits);
    if (format == std::chars_format::fixed) {
      text = fixed(digits, size);
    } else if (format != std::chars_format::scientific) {
      const auto count = static_cast<int>(digits.digits.size());
      const int length = digits.exponent >= count - 1 ? digits.exponent + 1
                         : digits.exponent >= 0       ? count + 1
                                                      : count + 1 - digits.exponent;
      if (length <= static_cast<int>(text.size())) text = fixed(digits, size);
    }
  }
  if (std::signbit(value)) text.insert(0, 1, '-');
  if (static_cast<size_t>(last - first) < text.size()) return {last, std::errc::value_too_large};
  return {std::copy(text.begin(), text.end(), first), std::errc()};
}

// Where a number in the format `general` ends; `first` if there is none.
const char* end_of_number(const char* first, const char* last) {
  const char* at = first;
  const auto digits = [&] {
    const char* from = at;
    while (at != last && is_digit(*at)) ++at;
    return at - from;
  };
  if (at != last && *at == '-') ++at;
  const auto has_word = [&](std::string_view word) {
    return static_cast<size_t>(last - at) >= word.size() &&
           std::equal(word.begin(), word.end(), at, [](char a, char b) { return a == (b | 0x20); });
  };
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    if (!has_word(word)) continue;
    at += word.size();
    if (word != "nan" || at == last || *at != '(') return at;
    const char* in = at + 1;
    while (in != last && (is_word_character(*in))) ++in;
    return in != last && *in == ')' ? in + 1 : at;
  }
  auto count = digits();
  if (at != last && *at == '.') {
    ++at;
    count += digits();
  }
  if (count == 0) return first;
  if (at != last && (*at | 0x20) == 'e') {
    const char* const before = at++;
    if (at != last && (*at == '+' || *at == '-')) ++at;
    if (digits() == 0) at = before;
  }
  return at;
}

template <typename T>
std::from_chars_result read(const char* first, const char* last, T& value) {
  const char* const end = end_of_number(first, last);
  if (end == first) return {first, std::errc::invalid_argument};
  const std::string text(first, end);
  T out = 0;
  parse(text.c_str(), out);
  const size_t sign = text[0] == '-' ? 1 : 0;
  const bool is_number = is_digit(text[sign]) || text[sign] == '.';
  const std::string_view mantissa = std::string_view(text).substr(0, text.find_first_of("eE"));
  const bool is_zero = mantissa.find_first_of("123456789") == std::string_view::npos;
  if (is_number && (std::isinf(out) || (out == 0 && !is_zero))) {
    return {end, std::errc::result_out_of_range};
  }
  value = out;
  return {end, std::errc()};
}

}  // namespace

std::to_chars_result to_chars(char* first, char* last, float value) {
  return write(first, last, value, std::chars_format{});
}
std::to_chars_result to_chars(char* first, char* last, double value) {
  return write(first, last, value, std::chars_format{});
}
std::to_chars_result to_chars(char* first, char* last, float value, std::chars_format format) {
  return write(first, last, value, format);
}
std::to_chars_result to_chars(char* first, char* last, double value, std::chars_format format) {
  return write(first, last, value, format);
}
std::from_chars_result from_chars(const char* first, const char* last, float& value) {
  return read(first, last, value);
}
std::from_chars_result from_chars(const char* first, const char* last, double& value) {
  return read(first, last, value);
}

}  // namespace warpshop::stand_in
