#include "state/settings.h"

#include <nlohmann/json.hpp>

#include "core/files.h"
#include "home_folder.h"
#include "state/hall_zoom.h"

namespace warpshop::ui {
namespace {

class SettingsTest : public HomeFolderTest {};

TEST_F(SettingsTest, ComeBackAsTheyWereSaved) {
  Settings s;
  s.theme = ThemeChoice::kLight;
  s.zoom = 1.75f;
  s.motion = false;
  s.gpu = "k40c";
  s.lab = "coalescing";
  s.step = "stride";
  s.caret_line = 7;
  s.caret_column = 3;
  s.top_line = 2;
  s.maximized = true;
  s.everything = true;
  ASSERT_TRUE(save_settings(s).ok());
  const LoadedSettings loaded = load_settings();
  EXPECT_TRUE(loaded.problems.empty());
  EXPECT_EQ(loaded.settings, s);
}

TEST_F(SettingsTest, WhatANewerVersionHasWrittenIsKept) {
  ASSERT_TRUE(
      write_file_atomically(home() / "settings.json",
                            R"({"version": 1, "zoom": 1.5, "holograms": {"on": true, "depth": 3}})")
          .ok());
  Settings s = load_settings().settings;
  EXPECT_FLOAT_EQ(s.zoom, 1.5f);
  s.zoom = 2;
  ASSERT_TRUE(save_settings(s).ok());
  Result<std::string> text = read_file(home() / "settings.json");
  ASSERT_TRUE(text.ok());
  const nlohmann::json kept = nlohmann::json::parse(*text);
  EXPECT_EQ(kept["holograms"]["depth"], 3);
  EXPECT_EQ(kept["zoom"], 2);
  EXPECT_EQ(load_settings().settings, s);
}

TEST_F(SettingsTest, AMissingFileIsTheDefaults) {
  Settings first;
  first.tour_open = true;  // as at the first start
  EXPECT_EQ(load_settings().settings, first);
}

TEST_F(SettingsTest, ABrokenFileIsKeptAndSaid) {
  const std::string deep(200'000, '[');  // would exhaust the stack
  const std::string kBroken[] = {"{\"zoom\": ",
                                 "{\"x\": " + deep + std::string(200'000, ']') + "}"};
  for (const std::string& text : kBroken) {
    ASSERT_TRUE(write_file_atomically(home() / "settings.json", text).ok());
    const LoadedSettings loaded = load_settings();
    EXPECT_EQ(loaded.settings, Settings{});
    ASSERT_EQ(loaded.problems.size(), 1u);
    EXPECT_EQ(read_file(home() / "settings.json.broken").value(), text);
  }
}

TEST_F(SettingsTest, ValuesOfAnotherTypeOrRangeAreRefusedOneByOne) {
  ASSERT_TRUE(write_file_atomically(home() / "settings.json",
                                    R"({"version": 9, "zoom": 99, "gpu": 7, "theme": "mauve",
                                        "window_width": 3, "step": "stride", "later": [1]})")
                  .ok());
  const Settings s = load_settings().settings;
  EXPECT_EQ(s.zoom, kMaxZoom);
  EXPECT_EQ(s.gpu, "h200");
  EXPECT_EQ(s.theme, Settings{}.theme);
  EXPECT_GE(s.window_width, 480);
  EXPECT_EQ(s.step, "stride");
}

TEST(Zoom, GoesFromStepToStepAndStaysAtItsEnds) {
  EXPECT_EQ(next_zoom(1, 1), 1.1f);
  EXPECT_EQ(next_zoom(1, -1), 0.9f);
  EXPECT_EQ(next_zoom(1.75f, 1), 2);
  EXPECT_EQ(next_zoom(1.21f, 1), 1.25f);  // 1.21 was given on the command line
  EXPECT_EQ(next_zoom(1.21f, -1), 1.1f);
  EXPECT_EQ(next_zoom(kMaxZoom, 1), kMaxZoom);
  EXPECT_EQ(next_zoom(kMinZoom, -1), kMinZoom);
}

// At 1,000 pixels of height twice the size on a desk, and the same part of any other height.
TEST(Settings, ALectureIsZoomedFromTheSizeOfItsWindow) {
  EXPECT_FLOAT_EQ(hall_zoom(1600, 1000, 1, 1), 2);
  EXPECT_FLOAT_EQ(hall_zoom(3200, 2000, 2, 1), 2);  // in points, drawn at twice the pixels
  EXPECT_FLOAT_EQ(hall_zoom(3840, 2160, 1, 1), 4.32f);
  EXPECT_FLOAT_EQ(hall_zoom(3840, 2160, 1, 1.25f), 4.32f * 1.25f);
  EXPECT_FLOAT_EQ(hall_zoom(3840, 2160, 1, 1.5f), 4.32f * 1.5f);
  EXPECT_FLOAT_EQ(hall_zoom(400, 300, 1, 1), kMinZoom);
}

}  // namespace
}  // namespace warpshop::ui
