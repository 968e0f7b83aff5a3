#include "texture/sampler.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/standard.h"
#include "lanes/lane_half.h"

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

// The two texels of an axis that take part; `weight` of the second in 1/256.
struct Footprint {
  int64_t first = 0;  // kOutside: the border
  int64_t second = 0;
  int weight = 0;
};

float plain(float x) {
  if (std::isnan(x) || std::fpclassify(x) == FP_SUBNORMAL) return 0.0f;
  return x;
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
  return static_cast<int64_t>(std::floor(std::clamp(static_cast<double>(x), -4.0, 4.0) * one));
}

Footprint footprint(float x, int64_t size, TextureAddress mode, bool normalised, bool linear) {
  x = plain(x);
  if (!normalised && mode <= TextureAddress::kMirror) mode = TextureAddress::kClamp;
  int64_t texel = 0;     // point
  int64_t position = 0;  // linear: in 1/256 texels, relative to the first one's centre
  if (normalised) {
    const int places =
        std::max(kLeastPlaces,
                 kWeightPlaces + static_cast<int>(std::bit_width(static_cast<uint64_t>(size - 1))));
    const int64_t q = normalised_position(x, places, mode);
    texel = (q * size) >> places;
    position = ((q * size * 512 + (int64_t{1} << places)) >> (places + 1)) - 128;
  } else {
    const double near = std::clamp(static_cast<double>(x), -16.0, static_cast<double>(size) + 16.0);
    if (linear) {
      position = static_cast<int64_t>(std::floor(near * 256.0 + 0.5)) - 128;
    } else {
      texel = static_cast<int64_t>(near);
      if (near < static_cast<double>(texel)) --texel;
    }
  }
  if (!linear) {
    texel = place(texel, size, mode);
    return {texel, texel, 0};
  }
  const int64_t first = position >> 8;
  return {place(first, size, mode), place(first + 1, size, mode), static_cast<int>(position & 255)};
}

Footprint whole_footprint(int32_t texel, int64_t size) {
  return {place(texel, size, TextureAddress::kBorder), place(texel, size, TextureAddress::kBorder),
          0};
}

struct Texel {
  std::array<uint32_t, 4> raw{};  // channels as stored in memory, signed ones extended
  bool border = false;
};

class Reader {
 public:
  Reader(const BoundTexture& texture, uint32_t layer)
      : texture_(texture), shape_(texture.object->shape) {
    const uint32_t layers = std::max<uint32_t>(shape_.layers, 1);
    base_ = uint64_t{std::min(layer, layers - 1)} * texture.layer_bytes;
  }

  uint64_t offset_of(int64_t x, int64_t y) const {
    return base_ + static_cast<uint64_t>(y) * texture_.object->pitch_bytes +
           static_cast<uint64_t>(x) * static_cast<uint64_t>(shape_.texel_bytes());
  }

  Texel read(int64_t x, int64_t y) {
    Texel texel;
    if (x == kOutside || y == kOutside) {
      texel.border = true;
      return texel;
    }
    const uint64_t at = offset_of(x, y);
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
  uint64_t base_ = 0;
  bool unwritten_ = false;
  std::array<uint64_t, 4> texel_{};
  int texels_ = 0;
};

struct Weighted {
  Texel texel;
  int weight = 0;  // of 256
};

float float_of(uint32_t raw, TexelFormat format) {
  if (format == TexelFormat::kF16)
    return half::float_from_half(half::F16{static_cast<uint16_t>(raw)});
  return bit_cast<float>(raw);
}

// For four texels: (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1).
struct Weights {
  std::array<int, 4> of{};  // in 1/256; they sum to 256
  // Both its column and its row have a non-zero weight, however small: a NaN in it is visible.
  std::array<bool, 4> takes_part{};
};
Weights weights_of(int a, int b) {
  const int both = (a * b + 128) >> 8;
  return {{256 - a - b + both, a - both, b - both, both}, {true, a != 0, b != 0, a != 0 && b != 0}};
}

// Rounds halves away from zero to `digits` binary digits, with the last one not below 2^least.
double round_away(double value, int digits, int least) {
  if (value == 0 || !std::isfinite(value)) return value;
  const int last = std::max(std::ilogb(value) - digits + 1, least);
  const double scaled = std::ldexp(value, -last);
  return std::ldexp(std::copysign(std::floor(std::fabs(scaled) + 0.5), scaled), last);
}

float float_sum(std::array<float, 4> value, const Weights& weights, TexelFormat format) {
  const std::array<int, 4>& weight = weights.of;
  const int digits = format == TexelFormat::kF16 ? 11 : 24;
  const int least = format == TexelFormat::kF16 ? -24 : -149;
  float special = 0;
  bool is_special = false;
  int top = least;
  for (size_t n = 0; n < 4; ++n) {
    if (!std::isfinite(value[n])) {
      if (!weights.takes_part[n]) value[n] = 0;
      is_special = is_special || weights.takes_part[n];
      special += value[n];
      continue;
    }
    if (weight[n] == 0 || std::fpclassify(value[n]) == FP_SUBNORMAL)
      value[n] = 0;  // f16 values are normal f32 numbers
    if (value[n] != 0) {
      top = std::max(top, std::ilogb(value[n]));
    }
  }
  if (is_special && !std::isnan(special)) return special;
  if (is_special) return bit_cast<float>(format == TexelFormat::kF16 ? 0x7fffe000u : 0x7fffffffu);
  const int last = top - digits + 1 - kGuardPlaces;
  double sum = 0;
  for (size_t n = 0; n < 4; ++n) {
    sum += std::trunc(std::ldexp(static_cast<double>(value[n]), -last)) * weight[n];
  }
  const auto rounded = static_cast<float>(round_away(std::ldexp(sum / 256.0, last), digits, least));
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

uint32_t linear_value(const TextureObject& object, const std::array<Texel, 4>& texels,
                      const Weights& weights, size_t channel) {
  const TexelFormat format = object.shape.format;
  if (is_float(format)) {
    std::array<float, 4> value{};
    for (size_t n = 0; n < 4; ++n) {
      value[n] = texels[n].border ? object.settings.border[channel]
                                  : float_of(texels[n].raw[channel], format);
    }
    return bit_cast<uint32_t>(float_sum(value, weights, format));
  }
  int64_t sum = 0;
  for (size_t n = 0; n < 4; ++n) {
    const uint32_t raw = texels[n].border ? border_texel(object, channel) : texels[n].raw[channel];
    sum += int64_t{static_cast<int32_t>(raw)} * weights.of[n];
  }
  return bit_cast<uint32_t>(normalised(integer_sum(sum, format), format));
}

struct Footprints {
  Footprint x;
  Footprint y;
};

Footprints footprints(const TextureObject& object, const SampleQuery& query, bool linear) {
  const TextureSettings& s = object.settings;
  const int64_t width = object.shape.width;
  const int64_t height = std::max<uint32_t>(object.shape.height, 1);
  if (query.whole) {
    return {whole_footprint(query.texel[0], width),
            whole_footprint(object.shape.height == 0 ? 0 : query.texel[1], height)};
  }
  if (object.shape.height == 0 && object.shape.layers > 0) {
    return {footprint(query.at[0], width, s.address[0], s.normalized_coordinates, linear), {}};
  }
  const float y = object.shape.height == 0 ? 0.0f : query.at[1];
  return {footprint(query.at[0], width, s.address[0], s.normalized_coordinates, linear),
          footprint(y, height, s.address[1], s.normalized_coordinates, linear)};
}

uint64_t start_of(const Reader& reader, const Footprints& f) {
  return reader.offset_of(std::max<int64_t>(f.x.first, 0), std::max<int64_t>(f.y.first, 0));
}

}  // namespace

Sample sample(const BoundTexture& texture, const SampleQuery& query) {
  const TextureObject& object = *texture.object;
  const bool linear = object.settings.filter == TextureFilter::kLinear && !query.whole;
  const Footprints f = footprints(object, query, linear);
  Reader reader(texture, query.layer);
  Sample out;
  const size_t channels = static_cast<size_t>(object.shape.channels);
  // Channels that the texels lack are zero, including the last one.
  if (!linear) {
    const Texel texel = reader.read(f.x.first, f.y.first);
    const bool beyond = texel.border && query.whole;
    for (size_t c = 0; c < channels; ++c) out.bits[c] = beyond ? 0 : point_value(object, texel, c);
  } else {
    const std::array<Texel, 4> texels = {
        reader.read(f.x.first, f.y.first), reader.read(f.x.second, f.y.first),
        reader.read(f.x.first, f.y.second), reader.read(f.x.second, f.y.second)};
    const Weights weights = weights_of(f.x.weight, f.y.weight);
    for (size_t c = 0; c < channels; ++c) out.bits[c] = linear_value(object, texels, weights, c);
  }
  out.offset = start_of(reader, f);
  reader.tell(out);
  return out;
}

Sample gather(const BoundTexture& texture, const SampleQuery& query, int component) {
  const TextureObject& object = *texture.object;
  const Footprints f = footprints(object, query, true);
  Reader reader(texture, query.layer);
  const auto channel = static_cast<size_t>(component);
  auto value = [&](int64_t x, int64_t y) {
    const Texel texel = reader.read(x, y);
    return channel >= static_cast<size_t>(object.shape.channels)
               ? 0u
               : point_value(object, texel, channel);
  };
  Sample out;
  out.bits = {value(f.x.first, f.y.second), value(f.x.second, f.y.second),
              value(f.x.second, f.y.first), value(f.x.first, f.y.first)};
  out.offset = start_of(reader, f);
  reader.tell(out);
  return out;
}

}  // namespace warpshop::emulator
