#include "run/texture_objects.h"

#include "lab/fills.h"

namespace warpshop::lab {
namespace {

using emulator::TextureAddress;
using emulator::TextureFilter;
using emulator::TextureRead;

}  // namespace

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
  const Result<emulator::ArrayShape> texels = texels_of(arg, type, extent);
  if (!texels.ok()) return texels.errors();
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
    handle = textures.make_linear_texture(*base, texels->format, arg.channels, extent.width,
                                          arg.settings, name);
  } else {
    const Result<int> array = textures.allocate_array(*texels, name);
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
