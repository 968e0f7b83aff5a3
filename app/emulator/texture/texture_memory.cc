// Arrays, texture objects and surface objects, with the runtime's checks.
#include "emulator/texture_memory.h"

#include <algorithm>
#include <utility>

#include "texture/sampler.h"

namespace warpshop::emulator {
namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", 9.0.
constexpr uint32_t kMaxWidth1d = 131072;
constexpr uint32_t kMaxWidth2d = 131072;
constexpr uint32_t kMaxHeight2d = 65536;
constexpr uint32_t kMaxLayeredSide = 32768;
constexpr uint32_t kMaxLayers = 2048;
constexpr uint32_t kMaxSide3d = 16384;
constexpr uint32_t kMaxCubeSide = 32768;
constexpr uint32_t kMaxCubes = 2046 / 6;
constexpr uint64_t kMaxArrayBytes = uint64_t{4} << 30;  // the emulator's own limit
constexpr uint64_t kTextureAlignment = 512;             // cudaDeviceProp::textureAlignment
constexpr uint64_t kPitchAlignment = 32;                // cudaDeviceProp::texturePitchAlignment

Diagnostic no_texture(Sentence message, Sentence help = {}) {
  return make_error("texture", std::move(message), std::move(help));
}

bool is_integer(TexelFormat format) { return format <= TexelFormat::kS32; }

}  // namespace

int size_bytes(TexelFormat format) {
  switch (format) {
    case TexelFormat::kU8:
    case TexelFormat::kS8:
      return 1;
    case TexelFormat::kU16:
    case TexelFormat::kS16:
    case TexelFormat::kF16:
      return 2;
    default:
      return 4;
  }
}

uint64_t ArrayShape::size_bytes_all() const {
  return uint64_t{width} * (height == 0 ? 1 : height) * planes_of_layer() *
         (layers == 0 ? 1 : layers) * static_cast<uint64_t>(texel_bytes());
}

Status check_array(const ArrayShape& shape, std::string_view array) {
  const std::string name(array);
  if (shape.channels != 1 && shape.channels != 2 && shape.channels != 4) {
    return no_texture("a texel has 1, 2 or 4 channels, not " + std::to_string(shape.channels));
  }
  if (shape.width == 0) return no_texture("the array \"" + name + "\" has no texels");
  if (shape.cube && (shape.width != shape.height || shape.depth > 0)) {
    return no_texture("the array \"" + name + "\" is a cube, whose faces are squares, but has " +
                      std::to_string(shape.width) + " × " + std::to_string(shape.height) +
                      " texels");
  }
  if (shape.depth > 0 && (shape.height == 0 || shape.layers > 0)) {
    return no_texture("the array \"" + name +
                      "\" is three-dimensional, which has a height and no layers");
  }
  if (shape.depth > 0 || shape.cube) {
    const uint32_t side = shape.cube ? kMaxCubeSide : kMaxSide3d;
    if (std::max({shape.width, shape.height, shape.depth}) > side || shape.layers > kMaxCubes) {
      return no_texture(
          "the array \"" + name + "\" of " + std::to_string(shape.width) + " × " +
              std::to_string(shape.height) + " × " + std::to_string(shape.cube ? 6 : shape.depth) +
              " texels is too large: at most " + std::to_string(side) + " along each side" +
              (shape.cube ? ", and " + std::to_string(kMaxCubes) + " cubes" : ""),
          "use a smaller image");
    }
  }
  const uint32_t width_limit = shape.layers > 0   ? kMaxLayeredSide
                               : shape.height > 0 ? kMaxWidth2d
                                                  : kMaxWidth1d;
  const uint32_t height_limit = shape.layers > 0 ? kMaxLayeredSide : kMaxHeight2d;
  if (shape.width > width_limit || shape.height > height_limit || shape.layers > kMaxLayers) {
    return no_texture("the array \"" + name + "\" of " + std::to_string(shape.width) + " × " +
                          std::to_string(shape.height) + " texels is too large: at most " +
                          std::to_string(width_limit) + " × " + std::to_string(height_limit),
                      "use a smaller image");
  }
  if (shape.size_bytes_all() > kMaxArrayBytes)
    return no_texture("the array \"" + name + "\" has more than 4 GiB");
  return success();
}

Status check_settings(TexelFormat format, const TextureSettings& settings) {
  const bool whole_numbers = is_integer(format) && settings.read == TextureRead::kElement;
  if (settings.filter == TextureFilter::kLinear && whole_numbers) {
    return no_texture("a linear filter gives fractions, but the texels are read as integers",
                      "read them as normalised floats, or use the point filter");
  }
  if (settings.read == TextureRead::kNormalizedFloat && is_integer(format) &&
      size_bytes(format) == 4) {
    return no_texture("32-bit integers cannot be read as normalised floats",
                      "use 8- or 16-bit texels");
  }
  return success();
}

Result<int> TextureMemory::allocate_array(const ArrayShape& shape, std::string name) {
  if (const Status status = check_array(shape, name); !status.ok()) return status.errors();
  arrays_.push_back({shape, std::move(name), std::vector<uint8_t>(shape.size_bytes_all()), {}});
  return static_cast<int>(arrays_.size()) - 1;
}

std::span<uint8_t> TextureMemory::bytes(int array) {
  return arrays_[static_cast<size_t>(array)].bytes;
}
std::span<const uint8_t> TextureMemory::bytes(int array) const {
  return arrays_[static_cast<size_t>(array)].bytes;
}

std::span<uint8_t> TextureMemory::written(int array) {
  return arrays_[static_cast<size_t>(array)].written;
}
std::span<const uint8_t> TextureMemory::written(int array) const {
  return arrays_[static_cast<size_t>(array)].written;
}
void TextureMemory::mark_unwritten(int array) {
  Array& a = arrays_[static_cast<size_t>(array)];
  a.written.assign(a.bytes.size(), 0);
}

Result<TextureHandle> TextureMemory::add(TextureObject object) {
  if (object.kind == TextureObject::Kind::kTexture) {
    if (const Status status = check_settings(object.shape.format, object.settings); !status.ok())
      return status.errors();
  }
  objects_.push_back(std::move(object));
  return kFirstHandle + objects_.size() - 1;
}

Result<TextureHandle> TextureMemory::make_texture(int array, const TextureSettings& settings) {
  const Array& a = arrays_[static_cast<size_t>(array)];
  return add({.kind = TextureObject::Kind::kTexture,
              .shape = a.shape,
              .settings = settings,
              .array = array,
              .pitch_bytes = uint64_t{a.shape.width} * static_cast<uint64_t>(a.shape.texel_bytes()),
              .name = a.name});
}

Result<TextureHandle> TextureMemory::make_surface(int array) {
  const Array& a = arrays_[static_cast<size_t>(array)];
  return add({.kind = TextureObject::Kind::kSurface,
              .shape = a.shape,
              .settings = {},
              .array = array,
              .pitch_bytes = uint64_t{a.shape.width} * static_cast<uint64_t>(a.shape.texel_bytes()),
              .name = a.name});
}

Result<TextureHandle> TextureMemory::make_linear_texture(DevicePointer base, TexelFormat format,
                                                         int channels, uint64_t elements,
                                                         const TextureSettings& settings,
                                                         std::string name) {
  if (elements == 0 || elements > kMostPlainTexels) {
    return no_texture("a linear texture has 1 to " + std::to_string(kMostPlainTexels) +
                      " texels, not " + std::to_string(elements));
  }
  if (base % kTextureAlignment != 0)
    return no_texture("a texture starts at a multiple of 512 bytes");
  TextureObject object{
      .shape = {.format = format, .channels = channels, .width = static_cast<uint32_t>(elements)},
      .settings = settings,
      .base = base,
      .linear = true,
      .name = std::move(name)};
  object.pitch_bytes = object.shape.size_bytes_all();
  return add(std::move(object));
}

Result<TextureHandle> TextureMemory::make_pitched_texture(DevicePointer base, TexelFormat format,
                                                          int channels, uint32_t width,
                                                          uint32_t height, uint64_t pitch_bytes,
                                                          const TextureSettings& settings,
                                                          std::string name) {
  TextureObject object{
      .shape = {.format = format, .channels = channels, .width = width, .height = height},
      .settings = settings,
      .base = base,
      .pitch_bytes = pitch_bytes,
      .name = std::move(name)};
  if (width == 0 || height == 0 || width > kMaxWidth2d || height > kMaxHeight2d) {
    return no_texture("the texture \"" + object.name + "\" has " + std::to_string(width) + " × " +
                      std::to_string(height) + " texels");
  }
  if (base % kTextureAlignment != 0)
    return no_texture("a texture starts at a multiple of 512 bytes");
  if (pitch_bytes % kPitchAlignment != 0 ||
      pitch_bytes < uint64_t{width} * static_cast<uint64_t>(object.shape.texel_bytes())) {
    return no_texture(
        "rows of a texture lie a multiple of 32 bytes apart, and at least a row's length");
  }
  return add(std::move(object));
}

std::vector<BoundTexture> bind_textures(TextureMemory& textures, DeviceMemory& memory) {
  std::vector<BoundTexture> bound;
  for (const TextureObject& object : textures.objects()) {
    BoundTexture texture{.object = &object};
    const uint64_t rows = object.shape.height == 0 ? 1 : object.shape.height;
    texture.layer_bytes = object.pitch_bytes * rows * object.shape.planes_of_layer();
    if (object.array >= 0) {
      texture.data = textures.bytes(object.array).data();
      if (!textures.written(object.array).empty())
        texture.written = textures.written(object.array).data();
    } else if (const DeviceMemory::Allocation* a = memory.find(object.base)) {
      const uint64_t offset = object.base - a->base;
      const uint64_t needed =
          (rows - 1) * object.pitch_bytes +
          uint64_t{object.shape.width} * static_cast<uint64_t>(object.shape.texel_bytes());
      if (needed <= a->size_bytes - offset) {
        texture.data = a->data + offset;
        texture.written = a->written == nullptr ? nullptr : a->written + offset;
      }
    }
    bound.push_back(texture);
  }
  return bound;
}

}  // namespace warpshop::emulator
