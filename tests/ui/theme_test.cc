#include "window/theme.h"

#include <gtest/gtest.h>

#include "text/cuda_language.h"

namespace warpshop::ui {
namespace {

// The design requires a contrast of 4.5 : 1 between text and background.
TEST(Theme, TextCanBeReadOnItsGround) {
  for (const Theme* theme : {&dark_theme(), &light_theme()}) {
    struct Case {
      const char* what;
      ImU32 text, ground;
    };
    const Case cases[] = {
        {"text on panel", theme->text, theme->panel},
        {"text on window", theme->text, theme->window},
        {"text on raised", theme->text, theme->raised},
        {"prose on panel", theme->body, theme->panel},
        {"secondary on panel", theme->muted, theme->panel},
        {"secondary on raised", theme->muted, theme->raised},
        {"accent on panel", theme->accent, theme->panel},
        {"good on panel", theme->good, theme->panel},
        {"poor on panel", theme->poor, theme->panel},
        {"poor on raised", theme->poor_on_raised, theme->raised},
        {"accent on raised", theme->accent, theme->raised},
        {"history on panel", theme->history, theme->panel},
        {"tour on raised", theme->tour, theme->raised},
        {"text on the tour's label", theme->on_accent, theme->tour},
        {"text on the primary button", theme->on_accent, theme->accent},
    };
    for (const Case& c : cases) {
      EXPECT_GE(contrast(c.text, c.ground), 4.5) << (theme->dark ? "dark: " : "light: ") << c.what;
    }
    const TextEditor::Palette palette = editor_palette(*theme);
    for (auto color :
         {TextEditor::Color::text, TextEditor::Color::keyword, TextEditor::Color::declaration,
          TextEditor::Color::number, TextEditor::Color::string, TextEditor::Color::comment,
          TextEditor::Color::preprocessor, TextEditor::Color::knownIdentifier,
          TextEditor::Color::lineNumber}) {
      EXPECT_GE(contrast(palette.get(color), theme->panel), 4.5)
          << (theme->dark ? "dark" : "light") << " code colour " << static_cast<int>(color);
    }
  }
}

// Reference values: WCAG 2.2 gives 21 for black on white; #767676 on white is the well-known 4.54.
TEST(Theme, ContrastIsThatOfTheGuidelines) {
  EXPECT_NEAR(contrast(IM_COL32_BLACK, IM_COL32_WHITE), 21, 1e-9);
  EXPECT_NEAR(contrast(IM_COL32(0x76, 0x76, 0x76, 255), IM_COL32_WHITE), 4.54, 0.005);
  EXPECT_NEAR(contrast(IM_COL32_WHITE, IM_COL32_WHITE), 1, 1e-9);
}

// Viridis runs from #440154 to #FDE725, each lane lighter than the one before.
TEST(Theme, LanesAreViridis) {
  EXPECT_EQ(lane_color(0), IM_COL32(0x44, 0x01, 0x54, 255));
  EXPECT_EQ(lane_color(31), IM_COL32(0xFD, 0xE7, 0x25, 255));
  for (int lane = 1; lane < 32; ++lane) {
    EXPECT_GT(contrast(lane_color(lane), IM_COL32_BLACK),
              contrast(lane_color(lane - 1), IM_COL32_BLACK))
        << lane;
  }
}

TEST(Theme, ColoursMixAndFade) {
  EXPECT_EQ(mix(IM_COL32(0, 0, 0, 255), IM_COL32(200, 100, 50, 255), 0.5f),
            IM_COL32(100, 50, 25, 255));
  EXPECT_EQ(with_alpha(IM_COL32(1, 2, 3, 200), 0.5f), IM_COL32(1, 2, 3, 100));
}

}  // namespace
}  // namespace warpshop::ui
