#include "window/drawn_glyphs.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "imgui_internal.h"

namespace warpshop::ui {
namespace {

constexpr ImWchar kSquare = 0x25A0, kEmptySquare = 0x25A1, kRightTriangle = 0x25B6;
constexpr float kAdvance = 0.5f;  // of all signs, in em
// The signs' box in em: x from the left, y upwards from the baseline; vertically centred on
// lower-case letters and box-drawing lines.
constexpr float kLeft = 0.03f, kRight = 0.47f, kBottom = 0.08f, kTop = 0.52f;
constexpr float kStroke = 0.06f;

bool is_ours(ImWchar sign) {
  return sign == kSquare || sign == kEmptySquare || sign == kRightTriangle;
}

// True if that point of the em, y upwards, is part of the sign.
bool inside(ImWchar sign, float x, float y) {
  if (x < kLeft || x > kRight || y < kBottom || y > kTop) return false;
  switch (sign) {
    case kEmptySquare:
      return x < kLeft + kStroke || x > kRight - kStroke || y < kBottom + kStroke ||
             y > kTop - kStroke;
    case kRightTriangle: {
      const float middle = (kBottom + kTop) / 2, along = (x - kLeft) / (kRight - kLeft);
      return std::abs(y - middle) <= (1 - along) * (kTop - kBottom) / 2;
    }
    default:
      return true;
  }
}

// The sign's coverage of a pixel, 0 to 255, from 8 × 8 samples.
unsigned char coverage(ImWchar sign, float x, float y_up, float pixel) {
  constexpr int kPoints = 8;
  int count = 0;
  for (int j = 0; j < kPoints; ++j) {
    for (int i = 0; i < kPoints; ++i) {
      const float dx = (static_cast<float>(i) + 0.5f) / kPoints,
                  dy = (static_cast<float>(j) + 0.5f) / kPoints;
      count += inside(sign, x + dx * pixel, y_up - dy * pixel);
    }
  }
  return static_cast<unsigned char>(count * 255 / (kPoints * kPoints));
}

bool contains(ImFontAtlas*, ImFontConfig*, ImWchar sign) { return is_ours(sign); }

// Implements ImFontLoader (imgui_internal.h): with
// `advance`, returns only the width, else the picture.
bool load(ImFontAtlas* atlas, ImFontConfig* source, ImFontBaked* baked, void*, ImWchar sign,
          ImFontGlyph* glyph, float* advance) {
  if (!is_ours(sign)) return false;
  const float line_per_em = source->ExtraSizeScale;  // see add_drawn_glyphs
  const float em = baked->Size / line_per_em;
  if (advance) {
    *advance = kAdvance * em;
    return true;
  }
  const float density = source->RasterizerDensity * baked->RasterizerDensity;
  const float pixel = 1 / (em * density);  // in em
  const int left = static_cast<int>(std::floor(kLeft / pixel)),
            right = static_cast<int>(std::ceil(kRight / pixel));
  const int top = static_cast<int>(std::ceil(kTop / pixel)),
            bottom = static_cast<int>(std::floor(kBottom / pixel));
  const int width = std::max(1, right - left), height = std::max(1, top - bottom);
  std::vector<unsigned char> pixels(static_cast<size_t>(width) * static_cast<size_t>(height));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      pixels[static_cast<size_t>(y * width + x)] = coverage(
          sign, static_cast<float>(left + x) * pixel, static_cast<float>(top - y) * pixel, pixel);
    }
  }
  const ImFontAtlasRectId id = ImFontAtlasPackAddRect(atlas, width, height);
  if (id == ImFontAtlasRectId_Invalid) return false;
  const float offset = std::floor(
      source->GlyphOffset.y * baked->Size / baked->OwnerFont->Sources[0]->SizePixels + 0.5f);
  const float base = std::round(baked->Ascent) + offset;
  glyph->Codepoint = sign;
  glyph->AdvanceX = kAdvance * em;
  glyph->X0 = static_cast<float>(left) / density;
  glyph->X1 = static_cast<float>(left + width) / density;
  glyph->Y0 = base - static_cast<float>(top) / density;
  glyph->Y1 = base - static_cast<float>(top - height) / density;
  glyph->Visible = true;
  glyph->PackId = id;
  ImFontAtlasBakedSetFontGlyphBitmap(atlas, baked, source, glyph, ImFontAtlasPackGetRect(atlas, id),
                                     pixels.data(), ImTextureFormat_Alpha8, width);
  return true;
}

const ImFontLoader* loader() {
  static const ImFontLoader own = [] {
    ImFontLoader made;
    made.Name = "drawn-signs";
    made.FontSrcContainsGlyph = contains;
    made.FontBakedLoadGlyph = load;
    return made;
  }();
  return &own;
}

}  // namespace

void add_drawn_glyphs(ImFont* font, float size, float line_per_em) {
  ImFontConfig config;
  config.MergeMode = true;
  config.DstFont = font;
  config.FontLoader = loader();
  config.SizePixels = size;
  config.GlyphOffset = font->Sources[0]->GlyphOffset;
  // Used by this loader only: other loaders scale their outlines with it.
  config.ExtraSizeScale = line_per_em;
  ImGui::GetIO().Fonts->AddFont(&config);
}

}  // namespace warpshop::ui
