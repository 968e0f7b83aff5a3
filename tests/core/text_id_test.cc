#include "core/text_id.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

// 64-bit FNV-1a: test vectors from draft-eastlake-fnv.
TEST(TextId, IsTheHashAndTheLength) {
  EXPECT_EQ(text_id(""), "cbf29ce484222325-0");
  EXPECT_EQ(text_id("a"), "af63dc4c8601ec8c-1");
  EXPECT_EQ(text_id("foobar"), "85944171f73967e8-6");
}

}  // namespace
}  // namespace warpshop
