#include "emulator/tensor_map.h"

#include <cstring>
#include <string>
#include <utility>

namespace warpshop::emulator {
namespace {

constexpr uint64_t kMagic = 0x7061'4d72'6f73'6e54;  // marks our own encoding
constexpr uint64_t kMostExtent = uint64_t{1} << 32;
constexpr uint64_t kStrideEnd = uint64_t{1} << 40;
constexpr uint32_t kMostBox = 256;
constexpr uint32_t kMostElementStride = 8;
constexpr uint64_t kMostBoxBytes = 228 * 1024;  // an SM's shared memory
constexpr uint64_t kUnit = 16;                  // bytes

bool is_float(TensorType type) {
  return type >= TensorType::kF16;  // the integers come first
}

template <typename T>
void put(std::array<uint8_t, TensorMap::kBytes>& bytes, size_t& at, T value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
  at += sizeof value;
}
template <typename T>
T take(std::span<const uint8_t, TensorMap::kBytes> bytes, size_t& at) {
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  at += sizeof value;
  return value;
}

}  // namespace

uint32_t TensorMap::box_elements(int dimension) const {
  const auto d = static_cast<size_t>(dimension);
  const uint32_t step = d == 0 ? 1 : element_strides[d];
  return (box[d] + step - 1) / step;
}

uint64_t TensorMap::box_bytes() const {
  auto bytes = static_cast<uint64_t>(size_bytes(type));
  for (int d = 0; d < rank; ++d) bytes *= box_elements(d);
  return bytes;
}

void TensorMap::pack() {
  uint64_t row = extents[0] * static_cast<uint64_t>(size_bytes(type));
  for (size_t d = 1; d < static_cast<size_t>(rank); ++d) {
    strides[d - 1] = row;
    row *= extents[d];
  }
}

uint64_t TensorMap::span_bytes() const {
  const auto dimensions = static_cast<size_t>(rank);
  return warpshop::span_bytes(type, std::span(extents).first(dimensions), strides);
}

uint64_t TensorMap::buffer_bytes() const { return (span_bytes() + kUnit - 1) / kUnit * kUnit; }

Status check_tensor_map(const TensorMap& map, std::string_view name) {
  Diagnostics bad;
  const auto refuse = [&](Sentence message, Sentence help) {
    bad.push_back(make_error("launch", std::move(message), std::move(help)));
  };
  if (map.rank < 1 || map.rank > 5) {
    refuse(sentence("the tensor map \"{name}\" has {rank} dimensions; 1 to 5 are possible",
                    {{"name", name}, {"rank", map.rank}}),
           sentence("merge dimensions that lie next to each other in memory"));
    return bad;
  }
  if (map.base % kUnit != 0) {
    refuse(sentence("the tensor of map \"{name}\" does not start at a multiple of 16 bytes",
                    {{"name", name}}),
           sentence("start at the beginning of a buffer"));
  }
  const auto element = static_cast<uint64_t>(size_bytes(map.type));
  for (int d = 0; d < map.rank; ++d) {
    const auto n = static_cast<size_t>(d);
    const std::vector<SentencePart> parts = {{"name", name},
                                             {"number", d + 1},
                                             {"extent", map.extents[n]},
                                             {"box", map.box[n]},
                                             {"stride", d == 0 ? uint64_t{0} : map.strides[n - 1]},
                                             {"step", map.element_strides[n]}};
    if (map.extents[n] == 0 || map.extents[n] > kMostExtent) {
      refuse(
          sentence("dimension {number} of the tensor map \"{name}\" has {extent} elements", parts),
          sentence("1 to 4,294,967,296 are possible"));
    }
    if (map.box[n] == 0 || map.box[n] > kMostBox) {
      refuse(sentence("the box of the tensor map \"{name}\" has {box} elements in dimension "
                      "{number}; 1 to 256 are possible",
                      parts),
             sentence("copy a larger tile with several copies"));
    }
    if (map.element_strides[n] == 0 || map.element_strides[n] > kMostElementStride) {
      refuse(sentence("the element stride of dimension {number} of the tensor map \"{name}\" is "
                      "{step}; 1 to 8 are possible",
                      parts),
             sentence("1 takes every element"));
    }
    if (d > 0 && (map.strides[n - 1] % kUnit != 0 || map.strides[n - 1] >= kStrideEnd)) {
      refuse(sentence("the stride of dimension {number} of the tensor map \"{name}\" is {stride} "
                      "bytes",
                      parts),
             sentence("strides are multiples of 16 bytes, below 2^40: pad the rows"));
    }
  }
  if (bad.empty() && map.box_bytes() > kMostBoxBytes) {
    refuse(
        sentence("the box of the tensor map \"{name}\" has {bytes} bytes, more than an SM's shared "
                 "memory",
                 {{"name", name}, {"bytes", map.box_bytes()}}),
        sentence("copy a larger tile with several copies"));
  }
  const uint64_t inner = map.box[0] * element;
  const std::vector<SentencePart> parts = {
      {"name", name}, {"bytes", inner}, {"swizzle", map.swizzle_bytes}};
  if (inner % kUnit != 0) {
    refuse(
        sentence("the box of the tensor map \"{name}\" has rows of {bytes} bytes, which is not a "
                 "multiple of 16",
                 parts),
        sentence("copies move pieces of 16 bytes: make the box wider"));
  }
  if (map.swizzle_bytes != 0 && map.swizzle_bytes != 32 && map.swizzle_bytes != 64 &&
      map.swizzle_bytes != 128) {
    refuse(sentence("the tensor map \"{name}\" has a swizzle of {swizzle} bytes", parts),
           sentence("32, 64 and 128 are possible, or none"));
  }
  if (map.swizzle_bytes != 0 && inner > static_cast<uint64_t>(map.swizzle_bytes)) {
    refuse(sentence("the box of the tensor map \"{name}\" has rows of {bytes} bytes, more than its "
                    "swizzle of {swizzle} bytes",
                    parts),
           sentence("make the box narrower, or use a wider swizzle or none"));
  }
  if (map.nan_outside && !is_float(map.type)) {
    refuse(sentence("the tensor map \"{name}\" fills with NaN, but its elements are integers",
                    {{"name", name}}),
           sentence("fill with zeros"));
  }
  if (!bad.empty()) return bad;
  return success();
}

std::array<uint8_t, TensorMap::kBytes> encode(const TensorMap& map) {
  std::array<uint8_t, TensorMap::kBytes> bytes{};
  size_t at = 0;
  put(bytes, at, kMagic);
  put(bytes, at, static_cast<uint8_t>(map.type));
  put(bytes, at, static_cast<uint8_t>(map.rank));
  put(bytes, at, static_cast<uint8_t>(map.swizzle_bytes));
  put(bytes, at, static_cast<uint8_t>(map.nan_outside));
  put(bytes, at, map.base);
  for (const uint64_t v : map.extents) put(bytes, at, v);
  for (const uint64_t v : map.strides) put(bytes, at, v);
  for (const uint32_t v : map.box) put(bytes, at, static_cast<uint16_t>(v));
  for (const uint32_t v : map.element_strides) put(bytes, at, static_cast<uint8_t>(v));
  return bytes;
}

std::optional<TensorMap> decode_tensor_map(std::span<const uint8_t, TensorMap::kBytes> bytes) {
  size_t at = 0;
  if (take<uint64_t>(bytes, at) != kMagic) return std::nullopt;
  TensorMap map;
  const auto type = take<uint8_t>(bytes, at);
  map.rank = take<uint8_t>(bytes, at);
  map.swizzle_bytes = take<uint8_t>(bytes, at);
  map.nan_outside = take<uint8_t>(bytes, at) != 0;
  map.base = take<uint64_t>(bytes, at);
  for (uint64_t& v : map.extents) v = take<uint64_t>(bytes, at);
  for (uint64_t& v : map.strides) v = take<uint64_t>(bytes, at);
  for (uint32_t& v : map.box) v = take<uint16_t>(bytes, at);
  for (uint32_t& v : map.element_strides) v = take<uint8_t>(bytes, at);
  // A kernel may have written these bytes.
  if (type >= kTensorTypeCount) return std::nullopt;
  map.type = static_cast<TensorType>(type);
  if (!check_tensor_map(map, "").ok()) return std::nullopt;
  return map;
}

}  // namespace warpshop::emulator
