#include "run/texture_argument.h"

#include <algorithm>
#include <utility>

#include "lab/fills.h"

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

emulator::ArrayShape shape_of(const TextureArg& arg, TexelFormat format, TextureExtent extent) {
  constexpr uint64_t kTooLarge = 0xffffffff;  // exceeds every limit
  return {.format = format,
          .channels = arg.channels,
          .width = static_cast<uint32_t>(std::min(extent.width, kTooLarge)),
          .height = static_cast<uint32_t>(std::min(extent.height, kTooLarge))};
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
  if (!arg.plain) return check_array(shape_of(arg, *format, extent), name);
  if (extent.width <= emulator::kMostPlainTexels) return success();
  return make_error("texture", "a texture over a plain buffer has at most 2^28 texels");
}

std::span<const uint8_t> bytes_of(const PlacedBytes& place, const emulator::DeviceMemory& memory,
                                  const emulator::TextureMemory& textures) {
  return place.array >= 0 ? textures.bytes(place.array) : memory.bytes(place.base);
}

Result<PlacedTexture> place_texture(const TextureArg& arg, ElementType type, TextureExtent extent,
                                    const Fill& fill, std::string_view file_bytes,
                                    const std::string& name, emulator::DeviceMemory& memory,
                                    emulator::TextureMemory& textures) {
  const Status possible = check_texture(arg, type);
  if (!possible.ok()) return possible.errors();
  const Result<TexelFormat> format = format_of(type);
  PlacedTexture out;
  Result<emulator::TextureHandle> handle = emulator::TextureHandle{0};
  if (arg.plain) {
    const uint64_t bytes = extent.width * static_cast<uint64_t>(arg.channels * size_bytes(type));
    const Result<emulator::DevicePointer> base = memory.allocate(bytes, name);
    if (!base.ok()) return base.errors();
    out.place.base = *base;
    if (writes(fill)) {
      fill_bytes(fill, memory.bytes(*base), file_bytes);
      memory.mark_written(*base);
    }
    handle = textures.make_linear_texture(*base, *format, arg.channels, extent.width, arg.settings,
                                          name);
  } else {
    const Result<int> array = textures.allocate_array(shape_of(arg, *format, extent), name);
    if (!array.ok()) return array.errors();
    out.place.array = *array;
    if (writes(fill)) {
      fill_bytes(fill, textures.bytes(*array), file_bytes);
    } else {
      textures.mark_unwritten(*array);
    }
    handle =
        arg.surface ? textures.make_surface(*array) : textures.make_texture(*array, arg.settings);
  }
  if (!handle.ok()) return handle.errors();
  out.handle = emulator::Argument::i64(static_cast<int64_t>(*handle));
  return out;
}

device::JobTexture job_texture(const TextureArg& arg, TextureExtent extent) {
  const auto address = [](TextureAddress mode) {
    switch (mode) {
      case TextureAddress::kWrap:
        return device::TextureAddress::kWrap;
      case TextureAddress::kMirror:
        return device::TextureAddress::kMirror;
      case TextureAddress::kBorder:
        return device::TextureAddress::kBorder;
      default:
        return device::TextureAddress::kClamp;
    }
  };
  return {.surface = arg.surface,
          .plain = arg.plain,
          .channels = arg.channels,
          .width = extent.width,
          .height = arg.plain ? 0 : extent.height,
          .address = {address(arg.settings.address[0]), address(arg.settings.address[1])},
          .linear_filter = arg.settings.filter == TextureFilter::kLinear,
          .normalized_read = arg.settings.read == TextureRead::kNormalizedFloat,
          .normalized_coordinates = arg.settings.normalized_coordinates,
          .border = arg.settings.border};
}

}  // namespace warpshop::lab
