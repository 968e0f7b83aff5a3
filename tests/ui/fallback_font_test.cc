#include "window/fallback_font.h"

#include <gtest/gtest.h>

#include "core/files.h"
#include "home_folder.h"

namespace warpshop::ui {
namespace {

class FallbackFontTest : public HomeFolderTest {};

TEST_F(FallbackFontTest, OnlyWhatTheFacesLackNeedsOne) {
  for (const char* own :
       {"", "int i = 0;  // größer, 8 × 4 → 32 …", "\u03b1 \u2264 \u221e \u2713 \u25a0", "\ufffd",
        "\ufeff// with a mark", "\xe4\xb8"}) {  // the last is a truncated character
    EXPECT_TRUE(characters_beyond(own).empty()) << own;
  }
  const struct {
    const char* text;
    std::vector<ImWchar> characters;
  } kOthers[] = {{"// \u4e2d\u6587 \u4e2d", {0x4e2d, 0x6587}},
                 {"\u3042", {0x3042}},
                 {"\ud55c", {0xd55c}},
                 {"\uff08", {0xff08}},
                 {"a\U0001f600b", {0x1f600}}};
  for (const auto& other : kOthers)
    EXPECT_EQ(characters_beyond(other.text), other.characters) << other.text;
}

TEST_F(FallbackFontTest, TheWidestKnownFontsAreTaken) {
  EXPECT_TRUE(find_fallback_fonts({home() / "missing", home()}).empty());
  for (const char* file : {"a/unifont.ttf", "a/Roboto-Regular.ttf",
                           "b/deep/NotoSansCJK-Regular.ttc", "b/NotoEmoji-Regular.ttf"}) {
    ASSERT_TRUE(write_file_atomically(home() / file, "font").ok());
  }
  const std::vector<std::filesystem::path> expected = {home() / "b/deep/NotoSansCJK-Regular.ttc",
                                                       home() / "b/NotoEmoji-Regular.ttf",
                                                       home() / "a/unifont.ttf"};
  EXPECT_EQ(find_fallback_fonts({home() / "a", home() / "b"}), expected);
}

}  // namespace
}  // namespace warpshop::ui
