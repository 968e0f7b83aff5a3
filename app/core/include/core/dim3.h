// Sizes and indices in three dimensions, as CUDA's dim3.
#pragma once

#include <cstdint>
#include <string>

namespace warpshop {

struct Dim3 {
  uint32_t x = 1;
  uint32_t y = 1;
  uint32_t z = 1;
  uint64_t count() const { return uint64_t{x} * y * z; }
  bool operator==(const Dim3&) const = default;
};

// The index with number `linear` in a grid or block of this shape: x counts fastest, then y. PTX
// ISA §10, "Special Registers", %tid.
constexpr Dim3 index_in(const Dim3& shape, uint64_t linear) {
  const uint64_t x = shape.x == 0 ? 1 : shape.x, y = shape.y == 0 ? 1 : shape.y;
  return {static_cast<uint32_t>(linear % x), static_cast<uint32_t>(linear / x % y),
          static_cast<uint32_t>(linear / x / y)};
}

// The number of an index: the inverse of index_in().
constexpr uint64_t linear_in(const Dim3& shape, const Dim3& index) {
  return index.x + uint64_t{shape.x} * (index.y + uint64_t{shape.y} * index.z);
}

inline std::string text_of(const Dim3& d) {  // "(1, 0, 0)"
  return "(" + std::to_string(d.x) + ", " + std::to_string(d.y) + ", " + std::to_string(d.z) + ")";
}

// [1, 0, 0], for the classes of nlohmann/json.
template <typename Json>
void to_json(Json& json, const Dim3& d) {
  json = Json::array({d.x, d.y, d.z});
}
template <typename Json>
void from_json(const Json& json, Dim3& d) {
  d = {json.at(0).template get<uint32_t>(), json.at(1).template get<uint32_t>(),
       json.at(2).template get<uint32_t>()};
}

}  // namespace warpshop
