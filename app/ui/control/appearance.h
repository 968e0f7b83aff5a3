// The look of the window: theme, zoom, fonts and the other choices of the settings, and the keys.
#pragma once

#include <string_view>

#include "app/shell.h"
#include "draw/draw.h"
#include "window/fonts.h"
#include "window/system_theme.h"

namespace warpshop::ui {

class Appearance {
 public:
  explicit Appearance(Shell& shell);

  // For the next frame. True if the scale has changed.
  bool update_look();
  // Whoever types does not mean the mouse, which rests somewhere: until it moves again, nothing is
  // explained. Call this at the start of a frame, before the text is taken.
  void note_typing();
  // Makes every character of the text displayable, or reports once that some are not.
  void find_font_for(std::string_view text);
  void ask_for_theme() { system_theme_.ask(); }  // the desktop's
  const Fonts& fonts() const { return fonts_; }

 private:
  float hall_zoom() const;
  float& zoom();
  void set_zoom(float zoom);

  Shell& shell_;
  SystemTheme system_theme_;
  Fonts fonts_;
  bool fallback_fonts_ = false;     // have been searched for
  bool typing_ = false;             // since the mouse last moved
  bool characters_missed_ = false;  // the notice about characters without a font was shown
  float scale_ = 0;                 // of the current style
  const Theme* style_theme_ = nullptr;
};

}  // namespace warpshop::ui
