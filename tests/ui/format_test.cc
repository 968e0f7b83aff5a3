#include "text/format.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

TEST(Format, NumbersHaveSeparators) {
  struct Case {
    uint64_t value;
    const char* text;
  };
  for (const Case& c :
       {Case{0, "0"}, Case{999, "999"}, Case{1000, "1,000"}, Case{65536, "65,536"},
        Case{1048576, "1,048,576"}, Case{18446744073709551615u, "18,446,744,073,709,551,615"}}) {
    EXPECT_EQ(with_separators(c.value), c.text);
  }
}

TEST(Format, DecimalsAreAsManyAsNeeded) {
  struct Case {
    double value;
    const char* text;
  };
  for (const Case& c :
       {Case{8, "8"}, Case{1.25, "1.25"}, Case{0.5, "0.5"}, Case{2.999, "3"}, Case{-0.001, "0"},
        Case{1234.5, "1,234.5"}, Case{-1234567, "-1,234,567"}, Case{1.0 / 0.0, "–"}}) {
    EXPECT_EQ(fraction_text(c.value), c.text) << c.value;
  }
}

TEST(Format, DurationsHaveTheUnitThatFits) {
  struct Case {
    double seconds;
    const char* text;
  };
  for (const Case& c : {Case{0.00001, "< 0.1 ms"}, Case{0.00006, "0.1 ms"}, Case{0.00042, "0.4 ms"},
                        Case{0.031, "31 ms"}, Case{0.9996, "1.0 s"}, Case{1.24, "1.2 s"},
                        Case{59.97, "1 min 0 s"}, Case{125, "2 min 5 s"}}) {
    EXPECT_EQ(duration_text(c.seconds), c.text);
  }
}

TEST(Format, TimesOfKernelsAreInMicroseconds) {
  struct Case {
    double us;
    const char* text;
  };
  for (const Case& c : {Case{44.456, "44.46 µs"}, Case{999.99, "999.99 µs"},
                        Case{3293.1, "3.293 ms"}, Case{3775360, "3.775 s"}, Case{0, "–"}}) {
    EXPECT_EQ(us_text(c.us), c.text);
  }
}

// Capacities are in powers of 1024, as their units say; traffic is in powers of 1000, as in GB/s.
TEST(Format, RoomAndTrafficHaveUnitsOfTheirOwn) {
  struct Case {
    uint64_t bytes;
    const char* text;
  };
  for (const Case& c :
       {Case{1, "1 byte"}, Case{96, "96 bytes"}, Case{1024, "1 KiB"}, Case{1536, "1.5 KiB"},
        Case{131072, "128 KiB"}, Case{60ull << 20, "60 MiB"}, Case{5ull << 30, "5 GiB"}}) {
    EXPECT_EQ(bytes_text(c.bytes), c.text);
  }
}

TEST(Format, TrafficCountsInPowersOf1000) {
  struct Case {
    double bytes;
    const char* text;
  };
  for (const Case& c : {Case{96, "96 B"}, Case{1024, "1.0 kB"}, Case{4'194'304, "4.2 MB"},
                        Case{134'217'728, "134.2 MB"}, Case{1.5e9, "1.5 GB"}}) {
    EXPECT_EQ(moved_text(c.bytes), c.text);
  }
}

TEST(Format, SizesOfLabsAreGroupedHoweverTheyAreWritten) {
  struct Case {
    const char *label, *text;
  };
  for (const Case& c :
       {Case{"1024 × 1024", "1,024 × 1,024"}, Case{"4,096 × 4,096", "4,096 × 4,096"},
        Case{"65.536 Elemente", "65,536 Elemente"},
        Case{"8,388,608 elements, 64 steps", "8,388,608 elements, 64 steps"},
        Case{"777 elements in rows of 1", "777 elements in rows of 1"},
        Case{"f32x4096 n=4096", "f32x4096 n=4,096"}, Case{"1.5 waves", "1.5 waves"},
        Case{"", ""}}) {
    EXPECT_EQ(size_text(c.label), c.text);
  }
}

TEST(Format, AChecksFigureIsRoundedLikeACounterUnlessItFails) {
  EXPECT_EQ(check_text(4.999, true), "5");
  EXPECT_EQ(check_text(5.001, false), "5.001");
  EXPECT_EQ(check_text(0.00125, true), "0.00125");
  EXPECT_EQ(check_text(1024, true), "1,024");
}

TEST(Format, NounsHaveTheirPlural) {
  EXPECT_EQ(percent_text(0.625), "62.5%");
  EXPECT_EQ(percent_text(1), "100%");
}

}  // namespace
}  // namespace warpshop::ui
