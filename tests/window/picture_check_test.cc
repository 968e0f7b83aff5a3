// The comparison of pictures itself: what it must find, what it must not mind, and what comes back from a file.
#include "picture_check.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

constexpr int kWidth = 200, kHeight = 120;

Picture plain(uint8_t value) {
  return {.width = kWidth, .height = kHeight, .rgba = std::vector<uint8_t>(size_t{kWidth} * kHeight * 4, value)};
}

void paint(Picture& picture, int x0, int y0, int x1, int y1, uint8_t value) {
  for (int y = y0; y < y1; ++y) {
    for (int x = x0; x < x1; ++x) {
      for (int channel = 0; channel < 3; ++channel) picture.rgba[static_cast<size_t>((y * kWidth + x) * 4 + channel)] = value;
    }
  }
}

TEST(PictureCheck, ARegionIsItsMeanColourAndItsContrast) {
  Picture picture = plain(40);
  paint(picture, 20, 0, 30, 20, 140);
  const Picture regions = regions_of(picture);
  ASSERT_EQ(regions.width, kWidth / kRegion);
  ASSERT_EQ(regions.height, kHeight / kRegion);
  // Half of its pixels at 40, half at 140: the mean is 90, and each is 50 away from it.
  EXPECT_EQ(regions.rgba[4], 90);
  EXPECT_EQ(255 - regions.rgba[7], 50);
  EXPECT_EQ(regions.rgba[0], 40);
  EXPECT_EQ(255 - regions.rgba[3], 0);
}

TEST(PictureCheck, APlaceThatDiffersIsNamedOnceAndWhatIsLeftOutIsNot) {
  const Picture before = regions_of(plain(40));
  EXPECT_TRUE(differences(before, before, {}).empty());
  Picture picture = plain(40);
  // A pixel here and there is another driver's; a bar of half a region's height over three regions is none.
  paint(picture, 3, 3, 4, 4, 90);
  EXPECT_TRUE(differences(regions_of(picture), before, {}).empty());
  paint(picture, 40, 60, 100, 70, 160);
  EXPECT_EQ(differences(regions_of(picture), before, {}), std::vector<std::string>{"40,60 to 100,80: 3 of 3 regions"});
  EXPECT_TRUE(differences(regions_of(picture), before, {{{40, 60}, {99, 79}}}).empty());
}

TEST(PictureCheck, LettersOnAGroundThatIsAsBrightAsTheyAreInTheMeanAreSeen) {
  Picture picture = plain(40);
  for (int x = 140; x < 160; x += 2) paint(picture, x, 20, x + 1, 40, 80), paint(picture, x + 1, 20, x + 2, 40, 0);
  EXPECT_EQ(differences(regions_of(picture), regions_of(plain(40)), {}), std::vector<std::string>{"140,20 to 160,40: 1 of 1 regions"});
}

TEST(PictureCheck, AnotherSizeIsOneDifference) {
  const Picture half = regions_of({.width = 100, .height = 120, .rgba = std::vector<uint8_t>(100 * 120 * 4, 40)});
  EXPECT_EQ(differences(regions_of(plain(40)), half, {}).size(), 1u);
}

TEST(PictureCheck, WhatIsKeptComesBack) {
  Picture picture = plain(40);
  paint(picture, 10, 10, 70, 30, 200);
  const Picture regions = regions_of(picture);
  const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "picture_check_test.pam";
  ASSERT_TRUE(write_regions(regions, file).ok());
  const Picture back = read_regions(file);
  EXPECT_EQ(back.width, regions.width);
  EXPECT_EQ(back.height, regions.height);
  EXPECT_EQ(back.rgba, regions.rgba);
  std::filesystem::resize_file(file, 100);
  EXPECT_EQ(read_regions(file).width, 0);
  std::filesystem::remove(file);
  EXPECT_EQ(read_regions(file).width, 0);
}

}  // namespace
}  // namespace warpshop::ui
