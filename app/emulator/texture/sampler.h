// The texture unit: which texels a fetch reads, their weights, and the arithmetic of their sum.
//
// All of it was measured on an H200 (compute capability 9.0) and is reproduced bit for bit;
// tests/emulator/texture_truth has the data. With n texels along an axis:
//
//   coordinate  subnormal numbers and NaN count as 0. Normalised ones are truncated (towards minus
//               infinity) to max(21, 8 + ceil(log2 n)) binary places, then multiplied by n exactly.
//   point       texel floor(u)
//   linear      p = floor(256 u + 1/2) - 128 in 1/256 texels: texels floor(p / 256) and the next,
//               the second with weight p mod 256 of 256
//   axes        a, b, c the weights of the second column, row and plane (c = 0 in two dimensions).
//               Of a plane's weight p, c or 256 - c, floor(p a / 256 + 1/2) is the second column's
//               and the rest the first one's. Of a column's weight q, its row on the diagonal of
//               (first, first) and (second, second) has floor(q r / 256 + 1/2), r = 256 - b or b,
//               and the other one the rest. Where clamping makes both texels of an axis one, the
//               second has no weight
//   cube        each component times the reciprocal (MUFU.RCP) of the largest one's size; the face
//               is that of z if no other is larger, else y's, else x's. Normalised coordinates on
//               it: (s + 1) / 2 with (s, t) = +x (-z, -y), -x (z, -y), +y (x, z), -y (x, -z),
//               +z (x, -y), -z (-x, -y). Filters stay on the face
//   one row     a one-dimensional array that is not layered has one row, and y is 0: with a linear
//               filter and a border in y, half of the result is border
//   f32, f16    linear: texels are truncated (towards zero) 4 places after the last place of their
//               plane's largest one with a weight; the sum is exact and rounded to nearest, halves
//               away from zero, in the texels' format. For f32, subnormal texels and sums are 0.
//               NaN gives 7fffffff, from f16 7fffe000, even from a texel whose weight was rounded
//               to 0.
//   u8, 16 bits linear: u8 is widened to 16 bits by repetition; the sum is rounded to nearest,
//               halves upwards, to 16 bits, and the quotient by 65535 or 32767 rounded to f32
//   s8          linear: for the sum s in 1/256, s + floor((floor(s / 16) 257 + 1024) / 2048) is
//               divided by 32767
//   integers    point, normalised: the quotient by 255, 127, 65535 or 32767 rounded to f32
//   border      normalised integers: the colour times 255, 127, 65535 or 32767 rounded to nearest,
//               halves downwards. Integers: the low bits of the colour's bits (measured where these
//               are zero)
//   integers    as coordinates (tex1Dfetch): 0 outside, whatever the address mode
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/standard.h"
#include "emulator/texture_memory.h"

namespace warpshop::emulator {

class GlobalShadow;

// A texture object and its texels.
struct BoundTexture {
  const TextureObject* object = nullptr;
  uint8_t* data = nullptr;     // nullptr: the underlying buffer is gone
  uint8_t* written = nullptr;  // one flag per byte, 0: never written; nullptr: all written
  uint64_t layer_bytes = 0;
  std::shared_ptr<GlobalShadow> shadow{};  // of the array's texels; see texture_races.h
};

// The objects of a texture memory, in the order of their handles.
std::vector<BoundTexture> bind_textures(TextureMemory& textures, DeviceMemory& memory);

struct SampleQuery {
  std::array<float, 3> at{};       // x, y, z; of a cube, a direction
  std::array<int32_t, 3> texel{};  // instead, with `whole`
  bool whole = false;              // integer coordinates: texels, never normalised
  uint32_t layer = 0;
};

struct Sample {
  std::array<uint32_t, 4> bits{};  // f32, or integers widened to 32 bits
  uint64_t offset = 0;     // start of the footprint in the texels, bytes, for the access record
  bool unwritten = false;  // a never-written texel of a buffer took part
  std::array<uint64_t, kMostTexels> texel{};  // byte offsets of the texels that took part
  int texels = 0;
};

Sample sample(const BoundTexture& texture, const SampleQuery& query);

// tld4: channel `component` of the four texels that a linear filter would use, in the manual's
// order: (left, lower), (right, lower), (right, upper), (left, upper), where lower means the larger
// row.
Sample gather(const BoundTexture& texture, const SampleQuery& query, int component);

// The two texels of an axis that take part; `weight` of the second in 1/256.
struct Footprint {
  int64_t first = 0;  // -1: the border
  int64_t second = 0;
  int weight = 0;
};

// Where the texels of a warp's fetches are, without their values. Neighbouring lanes often share a
// row, so what an axis gave for the last lane is remembered.
class TexelPlaces {
 public:
  // `gathers`: of gather(), not of sample().
  explicit TexelPlaces(bool gathers) : gathers_(gathers) {}
  // Byte offsets of the texels that take part, in the order in which they are read; returns how
  // many.
  int find(const BoundTexture& texture, const SampleQuery& query,
           std::array<uint64_t, kMostTexels>& offset);

  // For sampler.cc: the footprint for a coordinate along an axis, from `work_out` if it is new.
  template <typename WorkOut>
  Footprint along(size_t axis, float at, WorkOut work_out) {
    Last& last = last_[axis];
    if (!last.known || bit_cast<uint32_t>(at) != last.bits)
      last = {true, bit_cast<uint32_t>(at), work_out()};
    return last.footprint;
  }

 private:
  struct Last {
    bool known = false;
    uint32_t bits = 0;
    Footprint footprint;
  };
  bool gathers_;
  const BoundTexture* texture_ = nullptr;  // the last lane's
  uint64_t plane_bytes_ = 0;
  std::array<Last, 3> last_;
};

}  // namespace warpshop::emulator
