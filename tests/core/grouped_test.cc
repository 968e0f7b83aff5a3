#include "core/grouped.h"

#include <gtest/gtest.h>

namespace warpshop {
namespace {

TEST(Grouped, PlainNumbersGetSeparatorsAndOtherTextsStay) {
  const std::pair<const char*, const char*> kCases[] = {
      {"0", "0"},
      {"999", "999"},
      {"1000", "1,000"},
      {"-1048576", "-1,048,576"},
      {"-100", "-100"},
      {"553404059", "553,404,059"},
      {"16777216.12345", "16,777,216.12345"},
      {"272.9", "272.9"},
      {"1e+10", "1e+10"},
      {"123456e3", "123456e3"},
      {"nan", "nan"},
      {"-inf", "-inf"},
      {"never written", "never written"},
      {"1,000", "1,000"},
      {"", ""},
  };
  for (const auto& [plain, shown] : kCases) EXPECT_EQ(grouped(plain), shown);
}

}  // namespace
}  // namespace warpshop
