#include "lab/texture_arg.h"

#include <algorithm>
#include <utility>

namespace warpshop::lab {
namespace {

using emulator::TexelFormat;
using emulator::TextureAddress;
using emulator::TextureFilter;
using emulator::TextureRead;

template <typename Value, size_t kCount>
Result<Value> named(const std::pair<std::string_view, Value> (&table)[kCount],
                    std::string_view word, std::string_view what) {
  std::string known;
  for (const auto& [name, value] : table) {
    if (name == word) return value;
    known += (known.empty() ? "" : ", ") + std::string(name);
  }
  return make_error("texture", "there is no " + std::string(what) + " '" + std::string(word) + "'",
                    "known are " + known);
}

Result<TexelFormat> format_of(ElementType type) {
  switch (type) {
    case ElementType::kU8:
      return TexelFormat::kU8;
    case ElementType::kU16:
      return TexelFormat::kU16;
    case ElementType::kI32:
      return TexelFormat::kS32;
    case ElementType::kU32:
      return TexelFormat::kU32;
    case ElementType::kF32:
      return TexelFormat::kF32;
    default:
      return make_error("texture", "texels cannot be " + std::string(name_of(type)),
                        "textures and surfaces support u8, u16, i32, u32 and f32");
  }
}

}  // namespace

Result<TextureAddress> texture_address_named(std::string_view word) {
  static constexpr std::pair<std::string_view, TextureAddress> kWords[] = {
      {"clamp", TextureAddress::kClamp},
      {"border", TextureAddress::kBorder},
      {"wrap", TextureAddress::kWrap},
      {"mirror", TextureAddress::kMirror}};
  return named(kWords, word, "address mode");
}

Result<TextureFilter> texture_filter_named(std::string_view word) {
  static constexpr std::pair<std::string_view, TextureFilter> kWords[] = {
      {"point", TextureFilter::kPoint}, {"linear", TextureFilter::kLinear}};
  return named(kWords, word, "filter");
}

Result<TextureRead> texture_read_named(std::string_view word) {
  static constexpr std::pair<std::string_view, TextureRead> kWords[] = {
      {"element", TextureRead::kElement}, {"normalized", TextureRead::kNormalizedFloat}};
  return named(kWords, word, "way to read");
}

Status check_texture(const TextureArg& arg, ElementType type) {
  const Result<TexelFormat> format = format_of(type);
  if (!format.ok()) return format.errors();
  if (arg.channels != 1 && arg.channels != 2 && arg.channels != 4) {
    return make_error("texture", "a texel has 1, 2 or 4 channels");
  }
  if (arg.surface) return success();
  const auto& address = arg.settings.address;
  const bool repeats = address[0] == TextureAddress::kWrap || address[0] == TextureAddress::kMirror;
  if (repeats && !arg.settings.normalized_coordinates) {
    return make_error("texture", "wrap and mirror work with normalised coordinates alone",
                      "write normalized = true: coordinates then go from 0 to 1");
  }
  return check_settings(*format, arg.settings);
}

Status check_extent(const TextureArg& arg, ElementType type, TextureExtent extent,
                    std::string_view name) {
  const Result<TexelFormat> format = format_of(type);
  if (!format.ok()) return format.errors();
  if (!arg.plain) return check_array(*texels_of(arg, type, extent), name);
  if (extent.width <= emulator::kMostPlainTexels) return success();
  return make_error("texture", "a texture over a plain buffer has at most 2^28 texels");
}

Result<emulator::ArrayShape> texels_of(const TextureArg& arg, ElementType type,
                                       TextureExtent extent) {
  const Result<TexelFormat> format = format_of(type);
  if (!format.ok()) return format.errors();
  constexpr uint64_t kTooLarge = 0xffffffff;  // exceeds every limit
  return emulator::ArrayShape{.format = *format,
                              .channels = arg.channels,
                              .width = static_cast<uint32_t>(std::min(extent.width, kTooLarge)),
                              .height = static_cast<uint32_t>(std::min(extent.height, kTooLarge)),
                              .depth = static_cast<uint32_t>(std::min(extent.depth, kTooLarge)),
                              .layers = static_cast<uint32_t>(std::min(extent.layers, kTooLarge)),
                              .cube = extent.cube};
}

}  // namespace warpshop::lab
