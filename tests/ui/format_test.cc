#include "text/format.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

TEST(Format, NumbersHaveSeparators) {
  struct Case { uint64_t value; const char* text; };
  for (const Case& c : {Case{0, "0"}, Case{999, "999"}, Case{1000, "1,000"}, Case{65536, "65,536"},
                        Case{1048576, "1,048,576"},
                        Case{18446744073709551615u, "18,446,744,073,709,551,615"}}) {
    EXPECT_EQ(with_separators(c.value), c.text);
  }
}

TEST(Format, DecimalsAreAsManyAsNeeded) {
  struct Case { double value; const char* text; };
  for (const Case& c : {Case{8, "8"}, Case{1.25, "1.25"}, Case{0.5, "0.5"}, Case{2.999, "3"},
                        Case{-0.001, "0"}, Case{1234.5, "1,234.5"}, Case{-1234567, "-1,234,567"},
                        Case{1.0 / 0.0, "–"}}) {
    EXPECT_EQ(fraction_text(c.value), c.text) << c.value;
  }
}

TEST(Format, DurationsHaveTheUnitThatFits) {
  struct Case { double seconds; const char* text; };
  for (const Case& c : {Case{0.00001, "< 0.1 ms"}, Case{0.00006, "0.1 ms"}, Case{0.00042, "0.4 ms"}, Case{0.031, "31 ms"}, Case{0.9996, "1.0 s"},
                        Case{1.24, "1.2 s"}, Case{59.97, "1 min 0 s"}, Case{125, "2 min 5 s"}}) {
    EXPECT_EQ(duration_text(c.seconds), c.text);
  }
}

TEST(Format, TimesOfKernelsAreInMicroseconds) {
  struct Case { double us; const char* text; };
  for (const Case& c : {Case{44.456, "44.46 µs"}, Case{999.99, "999.99 µs"}, Case{3293.1, "3.293 ms"}, Case{0, "–"}}) {
    EXPECT_EQ(us_text(c.us), c.text);
  }
}

TEST(Format, BytesCountInPowersOf1024) {
  struct Case { uint64_t bytes; const char* text; };
  for (const Case& c : {Case{1, "1 byte"}, Case{96, "96 bytes"}, Case{1024, "1 KB"},
                        Case{1536, "1.5 KB"}, Case{131072, "128 KB"}, Case{5ull << 30, "5 GB"}}) {
    EXPECT_EQ(bytes_text(c.bytes), c.text);
  }
}

TEST(Format, NounsHaveTheirPlural) {
  EXPECT_EQ(percent_text(0.625), "62.5%");
  EXPECT_EQ(percent_text(1), "100%");
  EXPECT_EQ(hex_address(0x2f400), "0x2f400");
}

}  // namespace
}  // namespace warpshop::ui
