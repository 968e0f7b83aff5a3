// The fonts of the interface. Sizes are the design's (11, 13, 14.5, 20, 40): the em at 100% zoom,
// as in print and on the web. ImGui itself measures from ascender to descender.
#pragma once

#include <filesystem>

#include "core/result.h"
#include "imgui.h"

namespace warpshop::ui {

struct Face {
  ImFont* font = nullptr;
  float line_per_em = 1;  // ascender to descender, in em
};

struct Fonts {
  Face regular, medium, bold, italic, bold_italic, code;
  Face editor;  // `code`, vertically centred in the editor's taller lines
};

inline constexpr float kSmall = 11;
inline constexpr float kLabel = 13;
inline constexpr float kBody = 14.5f;
inline constexpr float kTitle = 20;
inline constexpr float kNumber = 40;
inline constexpr float kHallNumber = 60;    // in a lecture
inline constexpr float kEditorLine = 1.3f;  // pitch of the editor's lines ÷ the font's height

// Reads Roboto and Inconsolata from `folder`, and merges the icons of Font Awesome into the text
// fonts. Error: names the missing files; the caller then uses ImGui's built-in scalable font.
Status load_fonts(const std::filesystem::path& folder, Fonts& fonts);

// Draws text in `face` at `em` (unscaled) during its lifetime.
class ScopedFont {
 public:
  ScopedFont(const Face& face, float em) { ImGui::PushFont(face.font, em * face.line_per_em); }
  ~ScopedFont() { ImGui::PopFont(); }
  ScopedFont(const ScopedFont&) = delete;
  ScopedFont& operator=(const ScopedFont&) = delete;
};

}  // namespace warpshop::ui
