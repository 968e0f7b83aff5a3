#include "number.h"

#include <limits>

#include "core/charconv.h"
#include "core/standard.h"

namespace warpshop::ptx {
namespace {

std::optional<uint64_t> digits(std::string_view text, int base) {
  uint64_t value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = from_chars(text.data(), end, value, base);
  if (text.empty() || error != std::errc() || stop != end) return std::nullopt;
  return value;
}

// A literal without U is signed if its value fits, otherwise unsigned. PTX ISA §4.5.1.
std::optional<Constant> read_integer(std::string_view text) {
  bool is_unsigned = false;
  if (text.size() > 1 && text.back() == 'U') {
    is_unsigned = true;
    text.remove_suffix(1);
  }
  int base = 10;
  if (text.size() > 1 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    base = letter == 'x' ? 16 : letter == 'b' ? 2 : 8;
    text.remove_prefix(base == 8 ? 1 : 2);
  }
  const std::optional<uint64_t> value = digits(text, base);
  if (!value) return std::nullopt;
  constexpr auto kLargestSigned = static_cast<uint64_t>(std::numeric_limits<int64_t>::max());
  is_unsigned = is_unsigned || *value > kLargestSigned;
  return Constant{is_unsigned ? Constant::Kind::kUnsigned : Constant::Kind::kSigned, *value};
}

std::optional<Constant> read_decimal_float(std::string_view text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return Constant::of(value);
}

}  // namespace

double Constant::as_double() const {
  switch (kind) {
    case Kind::kSigned:
      return static_cast<double>(static_cast<int64_t>(bits));
    case Kind::kUnsigned:
      return static_cast<double>(bits);
    case Kind::kFloat32:
      return bit_cast<float>(static_cast<uint32_t>(bits));
    case Kind::kFloat64:
      return bit_cast<double>(bits);
  }
  return 0;
}

Constant Constant::of(int64_t value) { return {Kind::kSigned, static_cast<uint64_t>(value)}; }
Constant Constant::of(double value) { return {Kind::kFloat64, bit_cast<uint64_t>(value)}; }

std::optional<Constant> read_number(std::string_view text) {
  if (text.empty()) return std::nullopt;
  if (text.size() > 1 && text[0] == '0') {
    const char letter = static_cast<char>(text[1] | 0x20);
    if (letter == 'f' || letter == 'd') {
      const size_t width = letter == 'f' ? 8 : 16;
      if (text.size() != 2 + width) return std::nullopt;
      const std::optional<uint64_t> bits = digits(text.substr(2), 16);
      if (!bits) return std::nullopt;
      return Constant{letter == 'f' ? Constant::Kind::kFloat32 : Constant::Kind::kFloat64, *bits};
    }
    if (letter == 'x' || letter == 'b') return read_integer(text);
  }
  return text.find_first_of(".eE") == std::string_view::npos ? read_integer(text)
                                                             : read_decimal_float(text);
}

}  // namespace warpshop::ptx
