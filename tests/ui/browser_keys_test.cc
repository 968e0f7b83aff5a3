#include "window/browser_keys.h"

#include <gtest/gtest.h>

namespace warpshop::ui {
namespace {

TEST(BrowserKeys, LettersAndSignsAreWhatTheyType) {
  EXPECT_EQ(key_of_browser("KeyZ", "z"), ImGuiKey_Z);
  EXPECT_EQ(key_of_browser("KeyY", "z"), ImGuiKey_Z) << "German: undo is where Z is";
  EXPECT_EQ(key_of_browser("KeyZ", "Y"), ImGuiKey_Y);
  EXPECT_EQ(key_of_browser("KeyQ", "a"), ImGuiKey_A) << "French";
  EXPECT_EQ(key_of_browser("Slash", "/"), ImGuiKey_Slash);
  EXPECT_EQ(key_of_browser("Digit7", "/"), ImGuiKey_Slash) << "German, with Shift";
  EXPECT_EQ(key_of_browser("Slash", "-"), ImGuiKey_Minus) << "German";
  EXPECT_EQ(key_of_browser("BracketRight", "+"), ImGuiKey_Equal) << "zooms in, as on the desktop";
}

TEST(BrowserKeys, OthersAreWhereTheyStand) {
  EXPECT_EQ(key_of_browser("Digit1", "1"), ImGuiKey_1);
  EXPECT_EQ(key_of_browser("Digit1", "&"), ImGuiKey_1) << "French";
  EXPECT_EQ(key_of_browser("F1", "F1"), ImGuiKey_F1);
  EXPECT_EQ(key_of_browser("F12", "F12"), ImGuiKey_F12);
  EXPECT_EQ(key_of_browser("F24", "F24"), ImGuiKey_F24);
  EXPECT_EQ(key_of_browser("Tab", "Tab"), ImGuiKey_Tab);
  EXPECT_EQ(key_of_browser("Space", " "), ImGuiKey_Space);
  EXPECT_EQ(key_of_browser("ControlRight", "Control"), ImGuiKey_RightCtrl);
  EXPECT_EQ(key_of_browser("IntlBackslash", "<"), ImGuiKey_Oem102);
  EXPECT_EQ(key_of_browser("KeyC", "с"), ImGuiKey_C) << "Cyrillic: Ctrl+C is where C is";
  EXPECT_EQ(key_of_browser("Equal", "Dead"), ImGuiKey_Equal);
}

TEST(BrowserKeys, TheKeypadDependsOnNumLock) {
  EXPECT_EQ(key_of_browser("Numpad7", "7"), ImGuiKey_Keypad7);
  EXPECT_EQ(key_of_browser("Numpad7", "Home"), ImGuiKey_Home);
  EXPECT_EQ(key_of_browser("NumpadEnter", "Enter"), ImGuiKey_KeypadEnter);
  EXPECT_EQ(key_of_browser("NumpadAdd", "+"), ImGuiKey_KeypadAdd);
  EXPECT_EQ(key_of_browser("NumpadDecimal", ","), ImGuiKey_KeypadDecimal) << "German";
}

TEST(BrowserKeys, TouchKeyboardsHaveNoPlaces) {
  EXPECT_EQ(key_of_browser("", "Enter"), ImGuiKey_Enter);
  EXPECT_EQ(key_of_browser("", "Backspace"), ImGuiKey_Backspace);
}

TEST(BrowserKeys, WhatIsNoKeyOfTheWindowIsNone) {
  for (const char* code : {"", "Unidentified", "F0", "F25", "F", "F1x", "Numpad", "Numpad10",
                           "DigitX", "Digit10", "Key", "KeyÄ", "MediaPlayPause"})
    EXPECT_EQ(key_of_browser(code, ""), ImGuiKey_None) << code;
  EXPECT_EQ(key_of_browser("Semicolon", "ö"), ImGuiKey_Semicolon);
}

}  // namespace
}  // namespace warpshop::ui
