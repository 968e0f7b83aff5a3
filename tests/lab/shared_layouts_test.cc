#include "lab/shared_layouts.h"

#include <gtest/gtest.h>

namespace warpshop::lab {
namespace {

TEST(SharedLayoutsTest, ArraysAsTheyAreDeclared) {
  const std::vector<SharedLayout> layouts = shared_layouts(R"(
#define PAD 1
constexpr int kTile = 16;
__global__ void k(float* out) {
  __shared__ float tile[kTile][kTile + PAD], other[8][32];
  __shared__ double row[64];
  __shared__ int few[5];
  __shared__ short box[2][3][4];
  __shared__ float unknown[blocks()];
  extern __shared__ float dynamic[];
  out[0] = tile[0][0];
})",
                                                           "k");
  const struct {
    const char* name;
    const char* layout;
    uint64_t bytes;
  } expected[] = {{"tile", "(16,17):(17,1)", 4},
                  {"other", "(8,32):(32,1)", 4},
                  {"row", "(2,32):(32,1)", 8},
                  {"few", "5:1", 4},
                  {"box", "((3,2),4):((4,12),1)", 2}};
  ASSERT_EQ(layouts.size(), std::size(expected));
  for (size_t n = 0; n < layouts.size(); ++n) {
    EXPECT_EQ(layouts[n].name, expected[n].name);
    EXPECT_EQ(layouts[n].layout, expected[n].layout);
    EXPECT_EQ(layouts[n].element_bytes, expected[n].bytes);
  }
  EXPECT_TRUE(shared_layouts("__global__ void k() {}", "no_such_kernel").empty());
}

}  // namespace
}  // namespace warpshop::lab
