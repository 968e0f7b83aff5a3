// The picture comparison itself: what it must find, what it must tolerate, and what survives a
// file.
#include "picture_check.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

constexpr int kWidth = 200, kHeight = 120;

Picture plain(uint8_t value) {
  return {.width = kWidth,
          .height = kHeight,
          .rgba = std::vector<uint8_t>(size_t{kWidth} * kHeight * 4, value)};
}

void paint(Picture& picture, int x0, int y0, int x1, int y1, uint8_t value) {
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) {
      for (int channel = 0; channel < 3; ++channel)
        picture.rgba[static_cast<size_t>((y * kWidth + x) * 4 + channel)] = value;
    }
  }
}

TEST(PictureCheck, ARegionIsItsMeanColourAndItsContrast) {
  Picture picture = plain(40);
  paint(picture, 20, 0, 30, 20, 140);
  const Picture regions = regions_of(picture);
  ASSERT_EQ(regions.width, kWidth / kRegion);
  ASSERT_EQ(regions.height, kHeight / kRegion);
  // Half of its pixels are 40, half 140: the mean is 90, from which each deviates by 50.
  EXPECT_EQ(regions.rgba[4], 90);
  EXPECT_EQ(255 - regions.rgba[7], 50);
  EXPECT_EQ(regions.rgba[0], 40);
  EXPECT_EQ(255 - regions.rgba[3], 0);
}

TEST(PictureCheck, APlaceThatDiffersIsNamedOnceAndWhatIsLeftOutIsNot) {
  const Picture before = regions_of(plain(40));
  EXPECT_TRUE(differences(before, before).empty());
  Picture picture = plain(40);
  // A few different pixels come from another driver; a bar half a region high across three regions
  // does not.
  paint(picture, 3, 3, 4, 4, 90);
  EXPECT_TRUE(differences(regions_of(picture), before).empty());
  paint(picture, 40, 60, 100, 70, 160);
  EXPECT_EQ(differences(regions_of(picture), before),
            std::vector<std::string>{"40,60 to 100,80: 3 of 3 regions"});
  const Picture left_out = regions_of(picture, {{{40, 60}, {99, 79}}});
  EXPECT_TRUE(differences(left_out, before).empty());
  EXPECT_TRUE(differences(before, left_out).empty());
  EXPECT_EQ(differences(regions_of(picture, {{{60, 60}, {79, 79}}}), before),
            (std::vector<std::string>{"40,60 to 60,80: 1 of 1 regions",
                                      "80,60 to 100,80: 1 of 1 regions"}));
}

TEST(PictureCheck, LettersOnAGroundThatIsAsBrightAsTheyAreInTheMeanAreSeen) {
  Picture picture = plain(40);
  for (int x = 140; x < 160; x += 2)
    paint(picture, x, 20, x + 1, 40, 80), paint(picture, x + 1, 20, x + 2, 40, 0);
  EXPECT_EQ(differences(regions_of(picture), regions_of(plain(40))),
            std::vector<std::string>{"140,20 to 160,40: 1 of 1 regions"});
}

TEST(PictureCheck, ARegionAloneMayDifferByALetterThatTwoDriversDrawOtherwise) {
  const Picture before = regions_of(plain(40));
  const auto brighter = [&](int regions, uint8_t by) {
    Picture picture = plain(40);
    paint(picture, 40, 60, 40 + regions * kRegion, 80, static_cast<uint8_t>(40 + by));
    return differences(regions_of(picture), before);
  };
  EXPECT_TRUE(brighter(1, 10).empty());
  EXPECT_FALSE(brighter(2, 10).empty());  // two adjacent regions are found
  EXPECT_FALSE(brighter(1, 14).empty());  // and so is one with a larger difference
}

TEST(PictureCheck, AnotherSizeIsOneDifference) {
  const Picture half =
      regions_of({.width = 100, .height = 120, .rgba = std::vector<uint8_t>(100 * 120 * 4, 40)});
  EXPECT_EQ(differences(regions_of(plain(40)), half).size(), 1u);
}

TEST(PictureCheck, WhatIsKeptIsRoundedAndStillTheSame) {
  Picture regions = regions_of(plain(40));
  for (size_t n = 0; n < regions.rgba.size(); ++n) regions.rgba[n] = static_cast<uint8_t>(n % 256);
  const Picture kept = rounded(regions);
  EXPECT_EQ(kept.rgba[38], 40);
  EXPECT_EQ(kept.rgba[41], 40);
  EXPECT_EQ(kept.rgba[42], 44);
  EXPECT_EQ(kept.rgba[239], 240);
  EXPECT_TRUE(differences(regions, kept).empty());
  // More than a single region may differ by: 1.5 times two drivers' difference, and the rounding.
  for (const int change : {-15, 15}) {
    Picture changed = regions;
    changed.rgba[200] =
        static_cast<uint8_t>(200 + change);  // red of region 50, the first in the last row
    EXPECT_EQ(differences(changed, kept),
              std::vector<std::string>{"0,100 to 20,120: 1 of 1 regions"})
        << change;
  }
  // A region that was left out stays so.
  const Picture hole = rounded(regions_of(plain(40), {{{0, 0}, {19, 19}}}));
  EXPECT_EQ(hole.rgba[3], 0);
  EXPECT_EQ(hole.rgba[7], 255);
}

TEST(PictureCheck, PicturesOfAStackAreComparedEach) {
  Picture second = plain(40);
  paint(second, 0, 0, 20, 20, 90);
  const Picture stack =
      stacked({regions_of(plain(40)), regions_of(second), regions_of(plain(200))});
  EXPECT_TRUE(differences(regions_of(second), of_stack(stack, 1, 3)).empty());
  EXPECT_EQ(differences(regions_of(second), of_stack(stack, 0, 3)),
            std::vector<std::string>{"0,0 to 20,20: 1 of 1 regions"});
  EXPECT_EQ(differences(regions_of(second), of_stack(stack, 1, 2)).size(),
            1u);  // a wrong count gives the wrong size
  EXPECT_FALSE(differences(regions_of(second), of_stack(stack, 2, 3)).empty());
}

TEST(PictureCheck, RegionsAreEnlargedToTheWindowTheyAreOf) {
  Picture picture = plain(40);
  paint(picture, 20, 0, 30, 20, 140);
  const Picture large = enlarged(regions_of(picture));
  EXPECT_EQ(large.width, kWidth);
  EXPECT_EQ(large.height, kHeight);
  const auto at = [&](int x, int y) {
    return large.rgba[static_cast<size_t>((y * kWidth + x) * 4)];
  };
  EXPECT_EQ(at(19, 0), 40);
  EXPECT_EQ(at(20, 0), 90);
  EXPECT_EQ(at(39, 19), 90);
  EXPECT_EQ(at(39, 20), 40);
}

}  // namespace
}  // namespace warpshop::ui
