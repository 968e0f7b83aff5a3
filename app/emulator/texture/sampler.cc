#include "texture/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/standard.h"
#include "lanes/lane_half.h"
#include "lanes/lane_special.h"

namespace warpshop::emulator {
namespace {

namespace half = WARPSHOP_LANES;

constexpr int64_t kOutside = -1;  // the border
constexpr int kGuardPlaces = 4;   // binary places kept after the last place of the largest texel
constexpr int kLeastPlaces = 21;  // of a normalised coordinate
constexpr int kWeightPlaces = 8;

bool is_float(TexelFormat f) { return f >= TexelFormat::kF16; }
bool is_signed(TexelFormat f) {
  return f == TexelFormat::kS8 || f == TexelFormat::kS16 || f == TexelFormat::kS32;
}

// The value that represents 1 in a normalised read.
float largest(TexelFormat f) {
  switch (f) {
    case TexelFormat::kU8:
      return 255.0f;
    case TexelFormat::kS8:
      return 127.0f;
    case TexelFormat::kU16:
      return 65535.0f;
    default:
      return 32767.0f;
  }
}

// The low bits of an integer texel, extended to 32 bits.
uint32_t extended(uint32_t bits, TexelFormat format) {
  switch (format) {
    case TexelFormat::kU8:
      return bits & 0xff;
    case TexelFormat::kS8:
      return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int8_t>(bits)));
    case TexelFormat::kU16:
      return bits & 0xffff;
    case TexelFormat::kS16:
      return static_cast<uint32_t>(static_cast<int32_t>(static_cast<int16_t>(bits)));
    default:
      return bits;
  }
}

float plain(float x) {
  if (std::isnan(x) || std::fpclassify(x) == FP_SUBNORMAL) return 0.0f;
  return x;
}

// Of a number that fits; the library's function is slow where the host may lack an instruction.
int64_t floor_of(double x) {
  const auto towards_zero = static_cast<int64_t>(x);
  return towards_zero - (static_cast<double>(towards_zero) > x ? 1 : 0);
}

int64_t floor_div(int64_t a, int64_t b) { return a / b - ((a % b != 0) && ((a < 0) != (b < 0))); }
int64_t floor_mod(int64_t a, int64_t b) { return a - floor_div(a, b) * b; }

int64_t place(int64_t index, int64_t size, TextureAddress mode) {
  switch (mode) {
    case TextureAddress::kWrap:
      return floor_mod(index, size);
    case TextureAddress::kClamp:
      return std::clamp<int64_t>(index, 0, size - 1);
    case TextureAddress::kMirror: {
      const int64_t m = floor_mod(index, 2 * size);
      return m < size ? m : 2 * size - 1 - m;
    }
    case TextureAddress::kBorder:
      return index < 0 || index >= size ? kOutside : index;
  }
  return 0;
}

// A normalised coordinate as an integer multiple of 2^-places, reduced to near 0 … 1 without
// changing its meaning.
int64_t normalised_position(float x, int places, TextureAddress mode) {
  const double one = std::ldexp(1.0, places);
  if (mode == TextureAddress::kWrap || mode == TextureAddress::kMirror) {
    if (std::isinf(x)) return 0;
    const double period = mode == TextureAddress::kMirror ? 2 * one : one;
    const double q = std::floor(static_cast<double>(x) * one);  // exact: x has 24 bits
    const double m = std::fmod(q, period);
    return static_cast<int64_t>(m < 0 ? m + period : m);
  }
  return floor_of(std::clamp(static_cast<double>(x), -4.0, 4.0) * one);
}

int places_of(int64_t size) {
  return std::max(
      kLeastPlaces,
      kWeightPlaces + static_cast<int>(std::bit_width(static_cast<uint64_t>(size - 1))));
}

// `position`: of a texel, or, with a linear filter, of the first one's centre in 1/256 texels.
Footprint placed(int64_t position, int64_t size, TextureAddress mode, bool linear) {
  if (!linear) {
    const int64_t texel = place(position, size, mode);
    return {texel, texel, 0};
  }
  const int64_t first = place(position >> 8, size, mode);
  const int64_t second = place((position >> 8) + 1, size, mode);
  const bool at_edge = mode == TextureAddress::kClamp && first == second;
  return {first, second, at_edge ? 0 : static_cast<int>(position & 255)};
}

// At a normalised coordinate, in 2^-places.
Footprint footprint_at(int64_t q, int places, int64_t size, TextureAddress mode, bool linear) {
  const int64_t position = linear
                               ? ((q * size * 512 + (int64_t{1} << places)) >> (places + 1)) - 128
                               : (q * size) >> places;
  return placed(position, size, mode, linear);
}

Footprint footprint(float x, int64_t size, TextureAddress mode, bool normalised, bool linear) {
  x = plain(x);
  if (normalised) {
    const int places = places_of(size);
    return footprint_at(normalised_position(x, places, mode), places, size, mode, linear);
  }
  if (mode <= TextureAddress::kMirror) mode = TextureAddress::kClamp;
  const double near = std::clamp(static_cast<double>(x), -16.0, static_cast<double>(size) + 16.0);
  return placed(floor_of(linear ? near * 256.0 + 0.5 : near) - (linear ? 128 : 0), size, mode,
                linear);
}

Footprint whole_footprint(int32_t texel, int64_t size) {
  return {place(texel, size, TextureAddress::kBorder), place(texel, size, TextureAddress::kBorder),
          0};
}

struct Texel {
  std::array<uint32_t, 4> raw{};  // channels as stored in memory, signed ones extended
  bool border = false;
};

// Where the texels of one of a texture's layers lie: byte offsets.
class Layer {
 public:
  // `plane_bytes`: plane_bytes_of(texture).
  Layer(const BoundTexture& texture, uint32_t layer, uint64_t plane_bytes)
      : object_(*texture.object),
        base_(uint64_t{std::min(layer, std::max<uint32_t>(object_.shape.layers, 1) - 1)} *
              texture.layer_bytes),
        plane_bytes_(plane_bytes) {}
  static uint64_t plane_bytes_of(const BoundTexture& texture) {
    return texture.layer_bytes / texture.object->shape.planes_of_layer();
  }
  static bool is_outside(int64_t x, int64_t y, int64_t z) {
    return x == kOutside || y == kOutside || z == kOutside;
  }
  uint64_t offset_of(int64_t x, int64_t y, int64_t z) const {
    return base_ + static_cast<uint64_t>(z) * plane_bytes_ +
           static_cast<uint64_t>(y) * object_.pitch_bytes +
           static_cast<uint64_t>(x) * static_cast<uint64_t>(object_.shape.texel_bytes());
  }

 private:
  const TextureObject& object_;
  uint64_t base_;
  uint64_t plane_bytes_;
};

class Reader {
 public:
  Reader(const BoundTexture& texture, const SampleQuery& query)
      : texture_(texture),
        shape_(texture.object->shape),
        layer_(texture, query.layer, Layer::plane_bytes_of(texture)) {}

  const Layer& layer() const { return layer_; }

  Texel read(int64_t x, int64_t y, int64_t z) {
    Texel texel;
    if (Layer::is_outside(x, y, z)) {
      texel.border = true;
      return texel;
    }
    const uint64_t at = layer_.offset_of(x, y, z);
    const int bytes = size_bytes(shape_.format);
    texel_[static_cast<size_t>(texels_++)] = at;
    if (texture_.written != nullptr) {
      const uint8_t* shadow = texture_.written + at;
      if (std::find(shadow, shadow + shape_.texel_bytes(), uint8_t{0}) !=
          shadow + shape_.texel_bytes())
        unwritten_ = true;
    }
    for (int c = 0; c < shape_.channels; ++c) {
      uint32_t value = 0;
      std::memcpy(&value, texture_.data + at + static_cast<uint64_t>(c * bytes),
                  static_cast<size_t>(bytes));
      texel.raw[static_cast<size_t>(c)] =
          is_float(shape_.format) ? value : extended(value, shape_.format);
    }
    return texel;
  }
  void tell(Sample& out) const {
    out.unwritten = unwritten_;
    out.texel = texel_;
    out.texels = texels_;
  }

 private:
  const BoundTexture& texture_;
  const ArrayShape& shape_;
  Layer layer_;
  bool unwritten_ = false;
  std::array<uint64_t, kMostTexels> texel_{};
  int texels_ = 0;
};

float float_of(uint32_t raw, TexelFormat format) {
  if (format == TexelFormat::kF16)
    return half::float_from_half(half::F16{static_cast<uint16_t>(raw)});
  return bit_cast<float>(raw);
}

// The texels of a linear filter: bit 0 of an index is the column, bit 1 the row, bit 2 the plane;
// first is 0.
struct Weights {
  size_t count = 4;                   // 8 in three dimensions
  std::array<int, kMostTexels> of{};  // in 1/256; they sum to 256
  // Its column, row and plane have a non-zero weight, however small: a NaN in it is visible.
  std::array<bool, kMostTexels> takes_part{};
};

// a of b, in 1/256, rounded to nearest, halves upwards.
int share(int a, int b) { return (a * b + 128) >> 8; }

Weights weights_of(int a, int b, int c, size_t count) {
  Weights weights{.count = count};
  for (size_t first = 0; first < count; first += 4) {
    const int plane = first == 0 ? 256 - c : c;
    const int second = share(plane, a);
    const int left = plane - second;
    weights.of[first] = share(left, 256 - b);
    weights.of[first + 1] = second - share(second, b);
    weights.of[first + 2] = left - weights.of[first];
    weights.of[first + 3] = share(second, b);
  }
  for (size_t n = 0; n < count; ++n) {
    weights.takes_part[n] =
        ((n & 1) == 0 || a != 0) && ((n & 2) == 0 || b != 0) && ((n & 4) == 0 || c != 0);
  }
  return weights;
}

// Rounds halves away from zero to `digits` binary digits, with the last one not below 2^least.
double round_away(double value, int digits, int least) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int last = std::max(std::ilogb(value) - digits + 1, least);
  const double scaled = std::ldexp(value, -last);
  return std::ldexp(std::copysign(std::floor(std::fabs(scaled) + 0.5), scaled), last);
}

// Whole numbers of 2^last.
struct PlaneSum {
  double sum = 0;
  int last = 0;
};

// The weighted sum of a plane's four finite texels.
PlaneSum plane_sum(const float* value, const int* weight, int digits, int least) {
  int top = least;
  for (int n = 0; n < 4; ++n) {
    if (weight[n] != 0 && value[n] != 0) top = std::max(top, std::ilogb(value[n]));
  }
  const int last = top - digits + 1 - kGuardPlaces;
  double sum = 0;
  for (int n = 0; n < 4; ++n) {
    if (weight[n] == 0) continue;
    sum += std::trunc(std::ldexp(static_cast<double>(value[n]), -last)) * weight[n];
  }
  return {sum, last - kWeightPlaces};
}

// Rounded to fewer digits as the exact sum is.
double sum_of_planes(const PlaneSum& first, const PlaneSum& second) {
  const double a = std::ldexp(first.sum, first.last);
  const double b = std::ldexp(second.sum, second.last);
  const double sum = a + b;
  const double rest = b - (sum - a) + (a - (sum - (sum - a)));  // Knuth, TAOCP 2, 4.2.2, theorem B
  if (rest == 0 || (bit_cast<uint64_t>(sum) & 1) != 0) return sum;
  return std::nextafter(sum, rest > 0 ? HUGE_VAL : -HUGE_VAL);
}

float float_sum(std::array<float, kMostTexels> value, const Weights& weights, TexelFormat format) {
  const int digits = format == TexelFormat::kF16 ? 11 : 24;
  const int least = format == TexelFormat::kF16 ? -24 : -149;
  float special = 0;
  bool is_special = false;
  for (size_t n = 0; n < weights.count; ++n) {
    if (std::isfinite(value[n])) {
      if (std::fpclassify(value[n]) == FP_SUBNORMAL) value[n] = 0;  // f16 values are normal in f32
    } else {
      is_special = is_special || weights.takes_part[n];
      special += weights.takes_part[n] ? value[n] : 0.0f;
      value[n] = 0;
    }
  }
  if (is_special && !std::isnan(special)) return special;
  if (is_special) return bit_cast<float>(format == TexelFormat::kF16 ? 0x7fffe000u : 0x7fffffffu);
  const PlaneSum first = plane_sum(value.data(), weights.of.data(), digits, least);
  const double sum = weights.count > 4
                         ? sum_of_planes(first, plane_sum(&value[4], &weights.of[4], digits, least))
                         : std::ldexp(first.sum, first.last);
  const auto rounded = static_cast<float>(round_away(sum, digits, least));
  return std::fpclassify(rounded) == FP_SUBNORMAL ? std::copysign(0.0f, rounded) : rounded;
}

float normalised(int64_t value, TexelFormat format) {
  if (!is_signed(format)) return static_cast<float>(value) / 65535.0f;
  return std::max(static_cast<float>(value) / 32767.0f, -1.0f);
}

// The weighted sum of integer texels, in 1/256, as a 16-bit integer.
int64_t integer_sum(int64_t sum, TexelFormat format) {
  switch (format) {
    case TexelFormat::kU8:
      return (sum * 257 + 128) >> 8;
    case TexelFormat::kS8:
      return sum + (((sum >> 4) * 257 + 1024) >> 11);
    default:
      return (sum + 128) >> 8;
  }
}

bool gives_integers(const TextureObject& object) {
  return !is_float(object.shape.format) && object.settings.read == TextureRead::kElement;
}

// The border's colour in the texels' format.
uint32_t border_texel(const TextureObject& object, size_t channel) {
  const TexelFormat format = object.shape.format;
  const float colour = object.settings.border[channel];
  const uint32_t bits = bit_cast<uint32_t>(colour);
  if (is_float(format)) return bits;
  if (gives_integers(object)) {
    return extended(bits, format);
  }
  const float limit = largest(format);
  const float value = std::clamp(colour, is_signed(format) ? -1.0f : 0.0f, 1.0f) * limit;
  return static_cast<uint32_t>(static_cast<int32_t>(std::ceil(value - 0.5f)));
}

uint32_t point_value(const TextureObject& object, const Texel& texel, size_t channel) {
  const TexelFormat format = object.shape.format;
  const uint32_t raw = texel.border ? border_texel(object, channel) : texel.raw[channel];
  if (gives_integers(object)) return raw;
  if (is_float(format)) return texel.border ? raw : bit_cast<uint32_t>(float_of(raw, format));
  return bit_cast<uint32_t>(
      std::max(static_cast<float>(static_cast<int32_t>(raw)) / largest(format), -1.0f));
}

uint32_t linear_value(const TextureObject& object, const std::array<Texel, kMostTexels>& texels,
                      const Weights& weights, size_t channel) {
  const TexelFormat format = object.shape.format;
  if (is_float(format)) {
    std::array<float, kMostTexels> value{};
    for (size_t n = 0; n < weights.count; ++n) {
      value[n] = texels[n].border ? object.settings.border[channel]
                                  : float_of(texels[n].raw[channel], format);
    }
    return bit_cast<uint32_t>(float_sum(value, weights, format));
  }
  int64_t sum = 0;
  for (size_t n = 0; n < weights.count; ++n) {
    const uint32_t raw = texels[n].border ? border_texel(object, channel) : texels[n].raw[channel];
    sum += int64_t{static_cast<int32_t>(raw)} * weights.of[n];
  }
  return bit_cast<uint32_t>(normalised(integer_sum(sum, format), format));
}

struct Footprints {
  Footprint x;
  Footprint y;
  Footprint z;  // of a cube: the face
};

Footprint only(int64_t index) { return {index, index, 0}; }

// A normalised coordinate on a face of a cube is (s + 1) / 2, exactly.
Footprint on_face(float s, int64_t size, TextureAddress mode, bool linear) {
  const auto places = places_of(size);
  const double half = std::ldexp(0.5, places);
  const double near = std::clamp(static_cast<double>(plain(s)), -4.0, 4.0);
  return footprint_at(static_cast<int64_t>(std::floor(near * half) + half), places, size, mode,
                      linear);
}

Footprints footprints_in_cube(const TextureObject& object, const SampleQuery& query, bool linear) {
  const std::array<float, 3>& to = query.at;
  float largest = 0;  // NaN is not larger than anything
  for (const float component : to) {
    if (std::fabs(component) > largest) largest = std::fabs(component);
  }
  const auto scale = bit_cast<float>(lanes_base::special_rcp(bit_cast<uint32_t>(largest)));
  const float x = plain(to[0] * scale);
  const float y = plain(to[1] * scale);
  const float z = plain(to[2] * scale);
  // NaN counts as 0, but gives no face as long as another component is a number.
  const bool z_may_be =
      !std::isnan(to[2] * scale) || (std::isnan(to[0] * scale) && std::isnan(to[1] * scale));
  struct Face {
    int64_t number;
    float s, t;
  };
  const auto face = [&]() -> Face {
    if (z_may_be && std::fabs(z) >= std::fabs(x) && std::fabs(z) >= std::fabs(y))
      return z < 0 ? Face{5, -x, -y} : Face{4, x, -y};
    if (std::fabs(y) >= std::fabs(x)) return y < 0 ? Face{3, x, -z} : Face{2, x, z};
    return x < 0 ? Face{1, z, -y} : Face{0, -z, -y};
  }();
  const int64_t side = object.shape.width;
  return {on_face(face.s, side, object.settings.address[0], linear),
          on_face(face.t, side, object.settings.address[1], linear), only(face.number)};
}

// along(axis, coordinate, work out): the footprint along an axis, perhaps one that is known
// already.
template <typename Along>
Footprints footprints(const TextureObject& object, const SampleQuery& query, bool linear,
                      Along along) {
  const TextureSettings& s = object.settings;
  const ArrayShape& shape = object.shape;
  const int64_t width = shape.width;
  const int64_t height = std::max<uint32_t>(shape.height, 1);
  const int64_t depth = std::max<uint32_t>(shape.depth, 1);
  if (query.whole) {
    return {whole_footprint(query.texel[0], width),
            whole_footprint(shape.height == 0 ? 0 : query.texel[1], height),
            whole_footprint(shape.depth == 0 ? 0 : query.texel[2], depth)};
  }
  if (shape.cube) return footprints_in_cube(object, query, linear);
  const auto of = [&](size_t axis, float at, int64_t size) {
    return along(axis, at, [&] {
      return footprint(at, size, s.address[axis], s.normalized_coordinates, linear);
    });
  };
  const Footprint x = of(0, query.at[0], width);
  if (shape.height == 0 && shape.layers > 0) return {x, {}, {}};
  return {x, of(1, shape.height == 0 ? 0.0f : query.at[1], height),
          shape.depth == 0 ? Footprint{} : of(2, query.at[2], depth)};
}

Footprints footprints(const TextureObject& object, const SampleQuery& query, bool linear) {
  return footprints(object, query, linear, [](size_t, float, auto work_out) { return work_out(); });
}

uint64_t start_of(const Layer& layer, const Footprints& f) {
  return layer.offset_of(std::max<int64_t>(f.x.first, 0), std::max<int64_t>(f.y.first, 0),
                         std::max<int64_t>(f.z.first, 0));
}

}  // namespace

Sample sample(const BoundTexture& texture, const SampleQuery& query) {
  const TextureObject& object = *texture.object;
  const bool linear = object.settings.filter == TextureFilter::kLinear && !query.whole;
  const Footprints f = footprints(object, query, linear);
  Reader reader(texture, query);
  Sample out;
  const auto channels = static_cast<size_t>(object.shape.channels);
  // Channels that the texels lack are zero, including the last one.
  if (!linear) {
    const Texel texel = reader.read(f.x.first, f.y.first, f.z.first);
    const bool beyond = texel.border && query.whole;
    for (size_t c = 0; c < channels; ++c) out.bits[c] = beyond ? 0 : point_value(object, texel, c);
  } else {
    const Weights weights =
        weights_of(f.x.weight, f.y.weight, f.z.weight, object.shape.depth == 0 ? 4 : 8);
    std::array<Texel, kMostTexels> texels;
    for (size_t n = 0; n < weights.count; ++n) {
      texels[n] =
          reader.read((n & 1) == 0 ? f.x.first : f.x.second, (n & 2) == 0 ? f.y.first : f.y.second,
                      (n & 4) == 0 ? f.z.first : f.z.second);
    }
    for (size_t c = 0; c < channels; ++c) out.bits[c] = linear_value(object, texels, weights, c);
  }
  out.offset = start_of(reader.layer(), f);
  reader.tell(out);
  return out;
}

Sample gather(const BoundTexture& texture, const SampleQuery& query, int component) {
  const TextureObject& object = *texture.object;
  const Footprints f = footprints(object, query, true);
  Reader reader(texture, query);
  const auto channel = static_cast<size_t>(component);
  auto value = [&](int64_t x, int64_t y) {
    const Texel texel = reader.read(x, y, 0);
    return channel >= static_cast<size_t>(object.shape.channels)
               ? 0u
               : point_value(object, texel, channel);
  };
  Sample out;
  out.bits = {value(f.x.first, f.y.second), value(f.x.second, f.y.second),
              value(f.x.second, f.y.first), value(f.x.first, f.y.first)};
  out.offset = start_of(reader.layer(), f);
  reader.tell(out);
  return out;
}

int TexelPlaces::find(const BoundTexture& texture, const SampleQuery& query,
                      std::array<uint64_t, kMostTexels>& offset) {
  const TextureObject& object = *texture.object;
  if (&texture != texture_) {
    texture_ = &texture;
    plane_bytes_ = Layer::plane_bytes_of(texture);
    last_ = {};
  }
  const bool linear =
      gathers_ || (object.settings.filter == TextureFilter::kLinear && !query.whole);
  const Footprints f = footprints(object, query, linear, [&](size_t axis, float at, auto work_out) {
    return along(axis, at, work_out);
  });
  const Layer layer(texture, query.layer, plane_bytes_);
  int count = 0;
  const auto add = [&](int64_t x, int64_t y, int64_t z) {
    if (!Layer::is_outside(x, y, z))
      offset[static_cast<size_t>(count++)] = layer.offset_of(x, y, z);
  };
  if (gathers_) {
    add(f.x.first, f.y.second, 0);
    add(f.x.second, f.y.second, 0);
    add(f.x.second, f.y.first, 0);
    add(f.x.first, f.y.first, 0);
    return count;
  }
  if (!linear) {
    add(f.x.first, f.y.first, f.z.first);
    return count;
  }
  for (int n = 0; n < (object.shape.depth == 0 ? 4 : 8); ++n) {
    add((n & 1) == 0 ? f.x.first : f.x.second, (n & 2) == 0 ? f.y.first : f.y.second,
        (n & 4) == 0 ? f.z.first : f.z.second);
  }
  return count;
}

}  // namespace warpshop::emulator
