// Reading PNG files: streams and a picture made by zlib and Python, and the output of write_png.
#include "window/png_reader.h"

#include <gtest/gtest.h>

#include "../lab/temporary_folder.h"
#include "core/files.h"

namespace warpshop::ui {
namespace {

std::string from_hex(std::string_view hex) {
  std::string out;
  for (size_t n = 0; n + 1 < hex.size(); n += 2)
    out += static_cast<char>(std::stoi(std::string(hex.substr(n, 2)), nullptr, 16));
  return out;
}

class PngReader : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  std::filesystem::path file_ = folder_.path() / "picture.png";
};

// The squares of 0 to 59 as text, by zlib 1.2.13, raw deflate: stored, with fixed codes, and with
// dynamic codes.
TEST_F(PngReader, EachKindOfBlockIsUnpacked) {
  EXPECT_EQ(inflate(from_hex("010f00f0ff") + "stored as it is", 15), "stored as it is");
  std::string squares;
  for (int n = 0; n < 60; ++n) squares += (n ? " " : "") + std::to_string(n * n);
  const std::string fixed = from_hex(
      "335030543051b05430345330325530365330b154303351b0305430343050303402d226264059a00a4ba012a01a23"
      "53206d61"
      "a9606c6402540fd40d54676202a42d4c144c8d2c154ccdcd14cc80eacc80b439906f0e14b700ca5b02d5599a81cc"
      "056a3434"
      "009a60680834ca1064a6a111d0704363902d2620eb4c41f69a811c6006728939d0458616262037005d6864007285"
      "21c8c546"
      "06960a46c606260a462606864097017518998158e620310b90ac25509d31488731d07c90a3812e37069a676c6261"
      "0800");
  const std::string dynamic = from_hex(
      "158ec101c0300802576104516b74ffc50a2f1205bc00d13870901f6ad087692cc10830a5dddaca71b2c8939f740f"
      "952dbfd2"
      "f2754bb7f1e5e17b83916fa44fffa7f96a7ff2ddb85741861a4855d19d4c95b37ca57deef3dd31c098e48988db66"
      "10618629"
      "68e28c435634b283225322c7afe7d97a7bf29513a57e438bbcd457bdfc01");
  EXPECT_EQ(inflate(fixed, squares.size()), squares);
  EXPECT_EQ(inflate(dynamic, squares.size()), squares);
  for (size_t n = 0; n < dynamic.size() - 2; ++n) {
    EXPECT_LT(inflate(dynamic.substr(0, n), squares.size()).size(), squares.size())
        << n << " bytes of it";
  }
}

// Made by Python: 3 × 5 pixels, RGB, one row per filter, the data in two chunks.
TEST_F(PngReader, EachFilterIsUndone) {
  ASSERT_TRUE(write_file_atomically(
                  file_, from_hex("89504e470d0a1a0a0000000d49484452000000030000000508020000000f13c1"
                                  "f500000014494441547801013200cdff000a"
                                  "141e28323c46505a010b15f590976300000029494441541fefece30903030201"
                                  "010130333c454e5703c25922a0c0ced3d2cf"
                                  "0441a4d5fdfdfe0001ff4ecc11f68be234f70000000049454e44ae426082"))
                  .ok());
  const Picture picture = read_png(file_);
  ASSERT_EQ(picture.width, 3);
  ASSERT_EQ(picture.height, 5);
  EXPECT_EQ(picture.rgba,
            (std::vector<uint8_t>{10,  20,  30, 255, 40,  50, 60, 255, 70, 80, 90,  255,  //
                                  11,  21,  31, 255, 250, 1,  2,  255, 3,  4,  5,   255,  //
                                  12,  22,  32, 255, 42,  52, 62, 255, 72, 82, 92,  255,  //
                                  200, 100, 50, 255, 25,  12, 6,  255, 3,  1,  0,   255,  //
                                  9,   8,   7,  255, 6,   5,  4,  255, 3,  2,  255, 255}));
}

TEST_F(PngReader, WhatTheProgramWritesComesBackAndAPartOfItDoesNot) {
  Picture picture{.width = 70, .height = 50, .rgba = {}};
  uint32_t random = 1;
  for (int n = 0; n < picture.width * picture.height * 4; ++n) {
    random = random * 1664525 + 1013904223;
    // One half is noise, the other half repeats.
    picture.rgba.push_back(
        static_cast<uint8_t>(n % 5600 < 2800 ? random >> 24 : static_cast<uint32_t>(n % 280)));
  }
  ASSERT_TRUE(write_png(picture, file_).ok());
  const Picture back = read_png(file_);
  EXPECT_EQ(back.width, picture.width);
  EXPECT_EQ(back.height, picture.height);
  EXPECT_EQ(back.rgba, picture.rgba);
  std::filesystem::resize_file(file_, std::filesystem::file_size(file_) / 2);
  EXPECT_EQ(read_png(file_).width, 0);
  ASSERT_TRUE(write_file_atomically(file_, "P7\nWIDTH 3\n").ok());
  EXPECT_EQ(read_png(file_).width, 0);
  std::filesystem::remove(file_);
  EXPECT_EQ(read_png(file_).width, 0);
}

}  // namespace
}  // namespace warpshop::ui
