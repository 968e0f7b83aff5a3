// Texture and surface objects: arrays of texels that a kernel accesses through a handle, never a
// pointer, and textures over ordinary buffers. They are created before a launch, as by
// cudaCreateTextureObject. Source: CUDA Programming Guide, "Texture and Surface Memory"; PTX
// ISA §5.3 "Texture Sampler and Surface Types".
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "emulator/access.h"
#include "emulator/memory.h"

namespace warpshop::emulator {

// Type of one channel of a texel. Three-channel texels do not exist.
enum class TexelFormat : uint8_t { kU8, kS8, kU16, kS16, kU32, kS32, kF16, kF32 };
int size_bytes(TexelFormat format);  // per channel

// Coordinates outside 0 … size: repeat the image, clamp to the edge, repeat with every other copy
// mirrored, or return the border colour. Wrap and mirror need normalised coordinates; without them
// they clamp, as in the CUDA runtime.
enum class TextureAddress : uint8_t { kWrap, kClamp, kMirror, kBorder };
enum class TextureFilter : uint8_t { kPoint, kLinear };
// kNormalizedFloat: 8- and 16-bit integers are read as 0 … 1, or as -1 … 1 if signed.
enum class TextureRead : uint8_t { kElement, kNormalizedFloat };

struct ArrayShape {
  TexelFormat format = TexelFormat::kF32;
  int channels = 1;     // 1, 2 or 4
  uint32_t width = 1;   // texels
  uint32_t height = 0;  // 0: one-dimensional
  uint32_t depth = 0;   // planes of a three-dimensional array; 0: none
  uint32_t layers = 0;  // 0: not layered. Of cubes: how many
  bool cube = false;    // six faces, in the order +x, -x, +y, -y, +z, -z
  int texel_bytes() const { return size_bytes(format) * channels; }
  uint32_t planes_of_layer() const { return cube ? 6 : depth == 0 ? 1 : depth; }
  uint64_t size_bytes_all() const;
};

// Error: a shape that the machine refuses (limits: CUDA Programming Guide, "Technical
// Specifications per Compute Capability", 9.0) or that is too large. The message contains `name`.
Status check_array(const ArrayShape& shape, std::string_view name);

struct TextureSettings {
  std::array<TextureAddress, 3> address{TextureAddress::kClamp, TextureAddress::kClamp,
                                        TextureAddress::kClamp};  // x, y, z; cubes: s, t of a face
  TextureFilter filter = TextureFilter::kPoint;
  TextureRead read = TextureRead::kElement;
  bool normalized_coordinates = false;
  std::array<float, 4> border{};
};

// Error: settings that the runtime refuses, such as linear filtering of integers read as integers.
Status check_settings(TexelFormat format, const TextureSettings& settings);

// Texels that one fetch reads: by a linear filter in three dimensions.
inline constexpr size_t kMostTexels = 8;

// The value of a kernel's cudaTextureObject_t or cudaSurfaceObject_t.
using TextureHandle = uint64_t;

// Created by TextureMemory, read by launches.
struct TextureObject {
  enum class Kind : uint8_t { kTexture, kSurface };
  Kind kind = Kind::kTexture;
  ArrayShape shape;
  TextureSettings settings;
  int array = -1;  // index in TextureMemory; -1: over the buffer at `base`
  DevicePointer base = 0;
  uint64_t pitch_bytes = 0;  // from one row to the next
  bool linear = false;       // over a buffer, one-dimensional: tex1Dfetch
  std::string name;          // as shown in findings
};

inline constexpr uint64_t kMostPlainTexels =
    uint64_t{1} << 28;  // the same table: 1D texture over linear memory

class TextureMemory {
 public:
  // Rows, planes and layers are stored without gaps; all bytes are zero. Error: as check_array.
  Result<int> allocate_array(const ArrayShape& shape, std::string name);
  std::span<uint8_t> bytes(int array);
  std::span<const uint8_t> bytes(int array) const;
  // One flag per byte, 0: never written. Empty: all written, as in a new array.
  std::span<uint8_t> written(int array);
  std::span<const uint8_t> written(int array) const;
  void mark_unwritten(int array);

  // Error: as check_settings.
  Result<TextureHandle> make_texture(int array, const TextureSettings& settings);
  // `elements` texels from `base`, for tex1Dfetch. Error: as above, or a misaligned base.
  Result<TextureHandle> make_linear_texture(DevicePointer base, TexelFormat format, int channels,
                                            uint64_t elements, const TextureSettings& settings,
                                            std::string name);
  // Rows of `width` texels, `pitch_bytes` apart, a multiple of 32 bytes.
  Result<TextureHandle> make_pitched_texture(DevicePointer base, TexelFormat format, int channels,
                                             uint32_t width, uint32_t height, uint64_t pitch_bytes,
                                             const TextureSettings& settings, std::string name);
  Result<TextureHandle> make_surface(int array);

  const std::vector<TextureObject>& objects() const { return objects_; }
  static constexpr TextureHandle kFirstHandle =
      (uint64_t{5} << 48) + 1;  // an object's handle is this plus its index

 private:
  struct Array {
    ArrayShape shape;
    std::string name;
    std::vector<uint8_t> bytes;
    std::vector<uint8_t> written;
  };
  Result<TextureHandle> add(TextureObject object);

  std::vector<Array> arrays_;
  std::vector<TextureObject> objects_;
};

// A fetch (tex, tld4) by a warp: the texels that each lane touched.
struct TextureFetch {
  int function = 0;     // index into ptx::Module::functions
  int instruction = 0;  // index into its body
  uint32_t active_mask = 0;
  struct Lane {
    const TextureObject* texture = nullptr;  // nullptr: invalid handle, nothing was touched
    int texels = 0;                          // 0 to 8; the border is not a texel
    // Bytes from the first texel, rows pitch_bytes apart.
    std::array<uint64_t, kMostTexels> offset{};
  };
  std::array<Lane, kWarpSize> lanes{};  // undefined for inactive lanes
};

// Receives each warp's fetches in program order.
class TextureSink {
 public:
  virtual ~TextureSink() = default;
  virtual void on_fetch(const WarpIdentity& warp, const TextureFetch& fetch) = 0;
};

}  // namespace warpshop::emulator
