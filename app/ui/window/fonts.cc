#include "window/fonts.h"

#include <string>
#include <vector>

#include "window/drawn_glyphs.h"

namespace warpshop::ui {
namespace {

// (Ascender − descender) ÷ units per em, from the table `hhea` of the fetched files.
constexpr float kRobotoLine = 1.171875f;
constexpr float kInconsolataLine = 1.049f;

struct Wanted {
  const char* file;
  Face Fonts::*face;
  float line_per_em;
};

constexpr Wanted kWanted[] = {
    {"Roboto-Regular.ttf", &Fonts::regular, kRobotoLine},
    {"Roboto-Medium.ttf", &Fonts::medium, kRobotoLine},
    {"Roboto-Bold.ttf", &Fonts::bold, kRobotoLine},
    {"Roboto-RegularItalic.ttf", &Fonts::italic, kRobotoLine},
    {"Roboto-BoldItalic.ttf", &Fonts::bold_italic, kRobotoLine},
    {"Inconsolata-Medium.ttf", &Fonts::code, kInconsolataLine},
    {"Inconsolata-Medium.ttf", &Fonts::editor, kInconsolataLine},
};
constexpr const char* kIcons = "Font_Awesome_6_Free-Solid-900.otf";

}  // namespace

Status load_fonts(const std::filesystem::path& folder, Fonts& fonts) {
  ImFontAtlas* atlas = ImGui::GetIO().Fonts;
  std::string missing;
  ImFont* fallback = nullptr;
  for (const Wanted& wanted : kWanted) {
    const std::filesystem::path file = folder / wanted.file;
    Face& face = fonts.*wanted.face;
    std::error_code error;
    if (std::filesystem::is_regular_file(file, error)) {
      ImFontConfig config;
      const float size = kBody * wanted.line_per_em;
      // The offset is for this size; Dear ImGui scales it with the font.
      if (&face == &fonts.editor) config.GlyphOffset.y = size * (kEditorLine - 1) / 2;
      face = {atlas->AddFontFromFileTTF(file.c_str(), size, &config), wanted.line_per_em};
    }
    if (!face.font) {
      if (&face != &fonts.editor)
        missing += (missing.empty() ? "" : ", ") + std::string(wanted.file);
      if (!fallback) fallback = atlas->AddFontDefaultVector();
      face = {fallback, 1.1f};
      continue;
    }
    if (&face == &fonts.code || &face == &fonts.editor) {
      add_drawn_glyphs(face.font, kBody * wanted.line_per_em, wanted.line_per_em);
      continue;
    }
    const std::filesystem::path icons = folder / kIcons;
    if (std::filesystem::is_regular_file(icons, error)) {
      ImFontConfig merge;
      merge.MergeMode = true;
      merge.GlyphMinAdvanceX = 0;
      atlas->AddFontFromFileTTF(icons.c_str(), kBody * wanted.line_per_em * 0.85f, &merge);
    }
  }
  ImGui::GetIO().FontDefault = fonts.regular.font;
  ImGui::GetStyle().FontSizeBase = kBody * fonts.regular.line_per_em;
  if (missing.empty()) return success();
  return make_error("fonts", "fonts are missing in " + folder.string() + ": " + missing,
                    "Run ./start again; it fetches them.");
}

}  // namespace warpshop::ui
