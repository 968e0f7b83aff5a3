#include "core/dim3.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

// CUDA C++ Programming Guide, "Thread Hierarchy": the thread ID of index (x, y, z) in a block of
// size (Dx, Dy, Dz) is x + y Dx + z Dx Dy.
TEST(Dim3, NumbersIndicesAsCudaDoes) {
  const Dim3 shape{5, 3, 2};
  uint64_t number = 0;
  for (uint32_t z = 0; z < shape.z; ++z) {
    for (uint32_t y = 0; y < shape.y; ++y) {
      for (uint32_t x = 0; x < shape.x; ++x, ++number) {
        EXPECT_EQ(index_in(shape, number), (Dim3{x, y, z}));
        EXPECT_EQ(linear_in(shape, {x, y, z}), number);
      }
    }
  }
  EXPECT_EQ(number, shape.count());
}

TEST(Dim3, ANumberBeyond32BitsIsExact) {
  const Dim3 grid{2147483647, 65535, 65535};  // the largest
  const Dim3 last{grid.x - 1, grid.y - 1, 2};
  EXPECT_EQ(index_in(grid, linear_in(grid, last)), last);
}

TEST(Dim3, AnEmptyShapeHasIndexZeroOnly) { EXPECT_EQ(index_in({0, 0, 0}, 0), (Dim3{0, 0, 0})); }

TEST(Dim3, IsWrittenAsATuple) { EXPECT_EQ(text_of(Dim3{1, 20, 3}), "(1, 20, 3)"); }

}  // namespace
}  // namespace warpshop
