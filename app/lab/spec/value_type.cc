#include "lab/value_type.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "core/charconv.h"
#include "core/half.h"
#include "core/standard.h"

namespace warpshop::lab {
namespace {

using Kind = ValueType::Kind;

struct Named {
  std::string_view name;
  Kind kind;
  int bytes;
};
constexpr Named kScalars[] = {
    {"i8", Kind::kSigned, 1},
    {"u8", Kind::kUnsigned, 1},
    {"i16", Kind::kSigned, 2},
    {"u16", Kind::kUnsigned, 2},
    {"i32", Kind::kSigned, 4},
    {"u32", Kind::kUnsigned, 4},
    {"i64", Kind::kSigned, 8},
    {"u64", Kind::kUnsigned, 8},
    {"f16", Kind::kFloat, 2},
    {"bf16", Kind::kBrainFloat, 2},
    {"f32", Kind::kFloat, 4},
    {"f64", Kind::kFloat, 8},
    {"bool", Kind::kBool, 1},
    {"ptr", Kind::kUnsigned, 8},
    {"char", Kind::kSigned, 1},
    {"signed char", Kind::kSigned, 1},
    {"unsigned char", Kind::kUnsigned, 1},
    {"short", Kind::kSigned, 2},
    {"unsigned short", Kind::kUnsigned, 2},
    {"int", Kind::kSigned, 4},
    {"unsigned", Kind::kUnsigned, 4},
    {"unsigned int", Kind::kUnsigned, 4},
    {"long", Kind::kSigned, 8},
    {"unsigned long", Kind::kUnsigned, 8},
    {"long long", Kind::kSigned, 8},
    {"unsigned long long", Kind::kUnsigned, 8},
    {"float", Kind::kFloat, 4},
    {"double", Kind::kFloat, 8},
    {"half", Kind::kFloat, 2},
    {"__half", Kind::kFloat, 2},
    {"__nv_bfloat16", Kind::kBrainFloat, 2},
    {"size_t", Kind::kUnsigned, 8},
    {"uint", Kind::kUnsigned, 4},
    {"int8_t", Kind::kSigned, 1},
    {"uint8_t", Kind::kUnsigned, 1},
    {"int16_t", Kind::kSigned, 2},
    {"uint16_t", Kind::kUnsigned, 2},
    {"int32_t", Kind::kSigned, 4},
    {"uint32_t", Kind::kUnsigned, 4},
    {"int64_t", Kind::kSigned, 8},
    {"uint64_t", Kind::kUnsigned, 8},
    {"ptrdiff_t", Kind::kSigned, 8},
};

// The vectors' elements, by the name before the 1, 2, 3 or 4.
constexpr Named kVectors[] = {
    {"char", Kind::kSigned, 1},     {"uchar", Kind::kUnsigned, 1},
    {"short", Kind::kSigned, 2},    {"ushort", Kind::kUnsigned, 2},
    {"int", Kind::kSigned, 4},      {"uint", Kind::kUnsigned, 4},
    {"long", Kind::kSigned, 8},     {"ulong", Kind::kUnsigned, 8},
    {"longlong", Kind::kSigned, 8}, {"ulonglong", Kind::kUnsigned, 8},
    {"float", Kind::kFloat, 4},     {"double", Kind::kFloat, 8},
    {"half", Kind::kFloat, 2},
};

template <typename T>
bool parse(std::string_view text, T& out, int base = 10) {
  const char* const end = text.data() + text.size();
  if constexpr (std::is_floating_point_v<T>) {
    const auto [at, error] = from_chars(text.data(), end, out);
    return error == std::errc() && at == end;
  } else {
    const auto [at, error] = from_chars(text.data(), end, out, base);
    return error == std::errc() && at == end;
  }
}

// An integer within its type's range.
std::optional<uint64_t> whole(std::string_view text, bool is_signed, int bytes) {
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  const bool hexadecimal = text.starts_with("0x") || text.starts_with("0X");
  if (hexadecimal) text.remove_prefix(2);
  uint64_t magnitude = 0;
  if (!parse(text, magnitude, hexadecimal ? 16 : 10)) return std::nullopt;
  const uint64_t top = uint64_t{1} << (8 * bytes - 1);
  // Hexadecimal digits give the bits directly.
  const uint64_t most = is_signed && !hexadecimal ? (negative ? top : top - 1) : top - 1 + top;
  if (magnitude > most || (negative && !is_signed && magnitude > 0)) return std::nullopt;
  return negative ? ~magnitude + 1 : magnitude;
}

std::optional<uint64_t> element_bits(const ValueType& type, std::string_view text) {
  double number = 0;
  switch (type.kind) {
    case Kind::kSigned:
    case Kind::kUnsigned:
      return whole(text, type.kind == Kind::kSigned, type.element_bytes);
    case Kind::kBool:
      if (text == "true" || text == "1") return 1;
      if (text == "false" || text == "0") return 0;
      return std::nullopt;
    case Kind::kBrainFloat:
      if (!parse(text, number)) return std::nullopt;
      return to_bfloat16(number).bits;
    case Kind::kFloat:
      break;
  }
  if (type.element_bytes == 4) {
    float narrow = 0;
    if (!parse(text, narrow)) return std::nullopt;
    return bit_cast<uint32_t>(narrow);
  }
  if (!parse(text, number)) return std::nullopt;
  return type.element_bytes == 2 ? to_float16(number).bits : bit_cast<uint64_t>(number);
}

Sentence range_of(const ValueType& type) {
  const int bits = 8 * type.element_bytes;
  const uint64_t top = uint64_t{1} << (bits - 1);
  switch (type.kind) {
    case Kind::kSigned:
      return sentence("expected a whole number from -{low} to {high}",
                      {{"low", std::to_string(top)}, {"high", std::to_string(top - 1)}});
    case Kind::kUnsigned:
      return sentence("expected a whole number from 0 to {high}",
                      {{"high", std::to_string(top - 1 + top)}});
    case Kind::kBool:
      return sentence("expected true or false");
    default:
      return sentence("expected a number such as 0.5 or 1e-3");
  }
}

}  // namespace

std::optional<ValueType> value_type_named(std::string_view name) {
  for (const Named& known : kScalars) {
    if (known.name == name) return ValueType{known.kind, known.bytes, 1, known.bytes};
  }
  if (name == "dim3") return ValueType{Kind::kUnsigned, 4, 3, 4};
  if (name == "__half2") name = "half2";
  if (!name.empty() && name.back() >= '1' && name.back() <= '4') {
    const std::string_view element = name.substr(0, name.size() - 1);
    const int count = name.back() - '0';
    for (const Named& known : kVectors) {
      if (known.name != element || (element == "half" && count != 2)) continue;
      // Three-element vectors are aligned like their element, the others to their size, up to 16
      // bytes.
      return ValueType{known.kind, known.bytes, count,
                       count == 3 ? known.bytes : std::min(known.bytes * count, 16)};
    }
  }
  const size_t times = name.rfind('x');
  int count = 0;
  if (times == std::string_view::npos || !parse(name.substr(times + 1), count) || count < 1 ||
      count > 4096)
    return std::nullopt;
  for (const Named& known : kScalars) {
    if (known.name == name.substr(0, times))
      return ValueType{known.kind, known.bytes, count, known.bytes};
  }
  return std::nullopt;
}

std::optional<ElementType> element_type_of(const ValueType& type) {
  const bool floating = type.kind == Kind::kFloat;
  switch (type.element_bytes) {
    case 1:
      return ElementType::kU8;
    case 2:
      return floating                         ? ElementType::kF16
             : type.kind == Kind::kBrainFloat ? ElementType::kBf16
                                              : ElementType::kU16;
    case 4:
      return floating                       ? ElementType::kF32
             : type.kind == Kind::kUnsigned ? ElementType::kU32
                                            : ElementType::kI32;
    case 8:
      return floating ? ElementType::kF64 : ElementType::kI64;
    default:
      return std::nullopt;
  }
}

Result<std::vector<uint8_t>> value_bytes(const ValueType& type,
                                         const std::vector<std::string>& numbers) {
  if (numbers.size() != static_cast<size_t>(type.count)) {
    return make_error("value", sentence("expected {wanted} values, got {given}",
                                        {{"wanted", type.count}, {"given", numbers.size()}}));
  }
  std::vector<uint8_t> out(static_cast<size_t>(type.size_bytes()));
  const auto step = static_cast<size_t>(type.element_bytes);
  for (size_t n = 0; n < numbers.size(); ++n) {
    const std::optional<uint64_t> bits = element_bits(type, numbers[n]);
    if (!bits) {
      return make_error("value",
                        sentence("'{text}' is not a value of this type", {{"text", numbers[n]}}),
                        range_of(type));
    }
    std::memcpy(out.data() + n * step, &*bits, step);
  }
  return out;
}

}  // namespace warpshop::lab
