#include "core/base64.h"

#include <gtest/gtest.h>

#include <utility>

namespace warpshop {
namespace {

TEST(Base64, IsThatOfRfc4648) {
  const std::pair<const char*, const char*> kCases[] = {
      // RFC 4648, section 10
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
  };
  for (const auto& [plain, coded] : kCases) {
    EXPECT_EQ(base64(plain), coded);
    EXPECT_EQ(from_base64(coded), plain);
  }
  for (const char* bad : {"Zg=", "Zg=a", "Z===", "Zm9v!g==", "Zg==Zg=="}) {
    EXPECT_FALSE(from_base64(bad)) << bad;
  }
}

}  // namespace
}  // namespace warpshop
