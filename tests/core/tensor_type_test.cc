#include "core/tensor_type.h"

#include <gtest/gtest.h>

#include <array>
#include <limits>

namespace warpshop {
namespace {

TEST(TensorType, ATensorSpansItsRowsAndTheGapsBetweenThem) {
  const std::array<uint64_t, 3> extents = {10, 4, 3};
  const std::array<uint64_t, 2> strides = {32, 256};
  EXPECT_EQ(span_bytes(TensorType::kF16, std::span(extents).first(1), {}), 20U);
  EXPECT_EQ(span_bytes(TensorType::kF16, std::span(extents).first(2), strides), 3 * 32 + 20U);
  EXPECT_EQ(span_bytes(TensorType::kF16, extents, strides), 2 * 256 + 3 * 32 + 20U);
  EXPECT_EQ(span_bytes(TensorType::kF64, extents, strides), 2 * 256 + 3 * 32 + 80U);
}

// Such numbers come from messages and from kernels that make up a tensor map.
TEST(TensorType, SpansBeyondAnyMemoryDoNotOverflow) {
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  const std::array<uint64_t, 2> extents[] = {{kMost, 1}, {1, kMost}, {1, uint64_t{1} << 40}};
  const std::array<uint64_t, 1> stride = {uint64_t{1} << 40};
  for (const auto& e : extents)
    EXPECT_GE(span_bytes(TensorType::kF32, e, stride), uint64_t{1} << 52);
}

}  // namespace
}  // namespace warpshop
