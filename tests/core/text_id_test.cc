#include "core/text_id.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

// FNV-1a of these texts: test vectors of draft-eastlake-fnv, 64 bit.
TEST(TextId, IsTheHashAndTheLength) {
  EXPECT_EQ(text_id(""), "cbf29ce484222325-0");
  EXPECT_EQ(text_id("a"), "af63dc4c8601ec8c-1");
  EXPECT_EQ(text_id("foobar"), "85944171f73967e8-6");
}

}  // namespace
}  // namespace warpshop
