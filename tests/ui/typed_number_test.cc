#include "text/typed_number.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "text/text.h"

namespace warpshop::ui {
namespace {

class TypedNumber : public testing::Test {
 protected:
  static void speak(const char* id) {
    Result<Catalogue> catalogue = load_language(data_dir(), id);
    ASSERT_TRUE(catalogue.ok()) << render(catalogue.errors());
    use_language(std::move(catalogue).value());
  }
  ~TypedNumber() override { speak("en"); }
};

struct TypedCase {
  const char* text;
  std::optional<double> english, german;
};

TEST_F(TypedNumber, FollowsTheLanguagesMarks) {
  const std::optional<double> none;
  const TypedCase kCases[] = {
      {"128", 128, 128},
      {"  128 ", 128, 128},
      {"1,024", 1024, 1.024},
      {"1.024", 1.024, 1024},
      {"1,048,576", 1048576, none},
      {"1.048.576", none, 1048576},
      {"1 048 576", 1048576, 1048576},
      {"1\u00a0024", 1024, 1024},
      {"1,024.5", 1024.5, none},
      {"1.024,5", none, 1024.5},
      {"1.5", 1.5, 1.5},  // no German groups: a programmer's point
      {"1,5", none, 1.5},
      {"0,125", none, 0.125},
      {"0.125", 0.125, 0.125},
      {".5", 0.5, 0.5},
      {"5.", 5, 5},
      {"-3", -3, -3},
      {"−3", -3, -3},
      {"+3", 3, 3},
      {"1e6", 1e6, 1e6},
      {"1.5e-3", 1.5e-3, 1.5e-3},
      {"128 bytes", 128, 128},
      {"128bytes", 128, 128},
      {"bytes", none, none},
      {"128 bits", none, none},
      {"", none, none},
      {"   ", none, none},
      {"many", none, none},
      {"inf", none, none},
      {"nan", none, none},
      {"0x10", none, none},
      {"1e999", none, none},
      {"12 34", none, none},
      {"1,2,3", none, none},
      {"1.2.3", none, none},
      {"4-8", none, none},
      {"--4", none, none},
      {"1/2", none, none},
      {"2^10", none, none},
  };
  for (const TypedCase& c : kCases) {
    speak("en");
    EXPECT_EQ(typed_number(c.text, "bytes"), c.english) << "English: " << c.text;
    speak("de");
    EXPECT_EQ(typed_number(c.text, "bytes"), c.german) << "German: " << c.text;
  }
}

TEST_F(TypedNumber, IsShownAsItIsTyped) {
  const struct {
    double value;
    const char *english, *german;
  } kCases[] = {
      {0, "0", "0"},
      {128, "128", "128"},
      {1024, "1,024", "1.024"},
      {1048576, "1,048,576", "1.048.576"},
      {0.125, "0.125", "0,125"},
      {3.6, "3.6", "3,6"},
      {-1234.5, "-1,234.5", "-1.234,5"},
      {1.0 / 3, "0.333333", "0,333333"},
      {1234567.25, "1,234,567", "1.234.567"},
      {2.5e-6, "2.5e-06", "2,5e-06"},
  };
  for (const auto& c : kCases) {
    speak("en");
    EXPECT_EQ(number_shown(c.value), c.english);
    speak("de");
    EXPECT_EQ(number_shown(c.value), c.german);
  }
  speak("en");
  EXPECT_EQ(with_unit(1024, "bytes"), "1,024 bytes");
  EXPECT_EQ(with_unit(45, "%"), "45%");
  EXPECT_EQ(with_unit(45, "% of the bursts"), "45% of the bursts");
  EXPECT_EQ(with_unit(4, ""), "4");
}

}  // namespace
}  // namespace warpshop::ui
