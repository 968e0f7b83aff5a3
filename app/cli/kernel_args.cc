#include "kernel_args.h"

#include <array>
#include <charconv>
#include <cstring>
#include <optional>

namespace warpshop::cli {
namespace {

using lab::ElementType;

constexpr std::array kTypes = {ElementType::kU8,  ElementType::kU16, ElementType::kI32,
                               ElementType::kU32, ElementType::kI64, ElementType::kF32,
                               ElementType::kF64};

constexpr const char* kHowToWrite =
    "a buffer is TYPE[COUNT]=FILL such as f32[1024]=random, a scalar TYPE=VALUE such as i32=5; the "
    "types are "
    "u8, u16, i32, u32, i64, f32 and f64; the fills zero, none, iota, random, bits, chase=S and "
    "file=PATH";

template <typename T>
std::optional<T> number_of(std::string_view text) {
  T value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

template <typename T>
bool put(std::string_view text, emulator::Argument& out) {
  const std::optional<T> value = number_of<T>(text);
  if (!value) return false;
  out.bytes.resize(sizeof(T));
  std::memcpy(out.bytes.data(), &*value, sizeof(T));
  return true;
}

bool read_scalar(ElementType type, std::string_view text, emulator::Argument& out) {
  switch (type) {
    case ElementType::kU8:
      return put<uint8_t>(text, out);
    case ElementType::kU16:
      return put<uint16_t>(text, out);
    case ElementType::kI32:
      return put<int32_t>(text, out);
    case ElementType::kU32:
      return put<uint32_t>(text, out);
    case ElementType::kI64:
      return put<int64_t>(text, out);
    case ElementType::kF32:
      return put<float>(text, out);
    case ElementType::kF64:
      return put<double>(text, out);
  }
  return false;
}

Result<lab::Fill> read_fill(const std::string& text, ElementType type) {
  if (text == "random") return lab::Fill{.kind = lab::FillKind::kRandom, .type = type};
  if (text == "iota") return lab::Fill{.kind = lab::FillKind::kIota, .type = type};
  return lab::fill_from_spec(text);
}

}  // namespace

Result<emulator::Dim3> read_dim(const std::string& text, const char* option) {
  emulator::Dim3 out;
  uint32_t* const parts[] = {&out.x, &out.y, &out.z};
  size_t count = 0;
  std::string_view rest = text;
  for (bool more = true; more; ++count) {
    const size_t comma = rest.find(',');
    const std::optional<uint32_t> value = number_of<uint32_t>(rest.substr(0, comma));
    if (!value || count == 3) {
      return make_error(
          "usage", std::string(option) + " " + text + ": expected one to three whole numbers",
          std::string("write ") + option + " X,Y,Z, for example " + option + " 16,16");
    }
    *parts[count] = *value;
    more = comma != std::string_view::npos;
    if (more) rest.remove_prefix(comma + 1);
  }
  return out;
}

Result<KernelWord> read_argument(const std::string& text) {
  const auto error = [&](const std::string& what) {
    return make_error("usage", "--arg " + text + ": " + what, kHowToWrite);
  };
  const size_t type_end = text.find_first_of("[=");
  const std::string type_name = text.substr(0, type_end);
  KernelWord out;
  if (type_name == "ptr" && type_end != std::string::npos && text[type_end] == '=') {
    const std::optional<int64_t> value =
        number_of<int64_t>(std::string_view(text).substr(type_end + 1));
    if (!value) return error("expected a whole number after ptr=");
    out.arg.scalar = emulator::Argument::i64(*value);
    return out;
  }
  bool known = false;
  for (ElementType type : kTypes) {
    if (lab::name_of(type) != type_name) continue;
    out.type = type;
    known = true;
  }
  if (!known) return error("there is no type '" + type_name + "'");
  if (type_end == std::string::npos) return error("expected [COUNT] or =VALUE after the type");
  if (text[type_end] == '=') {
    if (!read_scalar(out.type, std::string_view(text).substr(type_end + 1), out.arg.scalar)) {
      return error("'" + text.substr(type_end + 1) + "' is not a value of " + type_name);
    }
    return out;
  }
  const size_t close = text.find(']', type_end);
  const std::optional<uint64_t> count =
      close == std::string::npos
          ? std::nullopt
          : number_of<uint64_t>(std::string_view(text).substr(type_end + 1, close - type_end - 1));
  if (!count || *count == 0 || *count > (uint64_t{1} << 36)) {
    return error("expected a number of elements between [ and ]");
  }
  out.arg.is_buffer = true;
  out.arg.size_bytes = *count * static_cast<uint64_t>(lab::size_bytes(out.type));
  if (close + 1 < text.size()) {
    if (text[close + 1] != '=') return error("expected = and a fill after ]");
    const Result<lab::Fill> fill = read_fill(text.substr(close + 2), out.type);
    if (!fill.ok()) return error(fill.errors().front().message);
    out.arg.fill = *fill;
  }
  return out;
}

}  // namespace warpshop::cli
