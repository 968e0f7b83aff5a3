#include "draw/draw.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "draw/observer.h"
#include "imgui_internal.h"

namespace warpshop::ui {
namespace {

float font_pixels(const Face& face, float em) { return em * face.line_per_em * look().scale; }

const char* begin_of(std::string_view text) { return text.data(); }
const char* end_of(std::string_view text) { return text.data() + text.size(); }

float offset(Align align, float width) {
  if (align == Align::kLeft) return 0;
  return align == Align::kCenter ? -width / 2 : -width;
}

// What is drawn belongs to one frame at a time, as with Dear ImGui's own context.
struct {
  Look look;
  std::string pointed_at;  // the whole of the truncated text under the mouse
} this_frame;

void note(const ImDrawList* list, ImVec2 min, ImVec2 size, std::string_view text, bool cut) {
  if (!draw_observer()) return;
  draw_observer()->see_text({list,
                             min,
                             {min.x + size.x, min.y + size.y},
                             text,
                             list->GetClipRectMin(),
                             list->GetClipRectMax(),
                             cut});
}

}  // namespace

const Look& look() { return this_frame.look; }
void use_look(const Look& look) { this_frame.look = look; }

ScaleMarks::ScaleMarks() {
  if (draw_observer()) draw_observer()->see_marks(true);
}
ScaleMarks::~ScaleMarks() {
  if (draw_observer()) draw_observer()->see_marks(false);
}

void note_text(ImVec2 min, ImVec2 max, std::string_view text, ImVec2 room_min, ImVec2 room_max) {
  if (draw_observer())
    draw_observer()->see_text({ImGui::GetWindowDrawList(), min, max, text, room_min, room_max});
}

std::string take_cut_text() { return std::exchange(this_frame.pointed_at, {}); }

ImVec2 text_size(const Face& face, float em, std::string_view text) {
  if (text.empty()) return {0, font_pixels(face, em)};
  return face.font->CalcTextSizeA(font_pixels(face, em), FLT_MAX, 0, begin_of(text), end_of(text));
}

float line_height(const Face& face, float em) { return font_pixels(face, em); }

void draw_text(ImDrawList* list, ImVec2 at, const Face& face, float em, ImU32 color,
               std::string_view text, Align align) {
  if (text.empty()) return;
  const bool sized = align != Align::kLeft || draw_observer();
  const ImVec2 size = sized ? text_size(face, em, text) : ImVec2{};
  at.x += offset(align, size.x);
  note(list, at, size, text, false);
  list->AddText(face.font, font_pixels(face, em), {std::round(at.x), std::round(at.y)}, color,
                begin_of(text), end_of(text));
}

void draw_text_cut(ImDrawList* list, ImVec2 at, const Face& face, float em, ImU32 color,
                   std::string_view text, float max_width, Align align) {
  if (text_size(face, em, text).x <= max_width) {
    draw_text(list, at, face, em, color, text, align);
    return;
  }
  std::string cut(text);
  while (!cut.empty()) {
    do {
      cut.pop_back();
    } while (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0x80);
    // Remove a UTF-8 lead byte left without its continuation bytes, too.
    if (!cut.empty() && (static_cast<unsigned char>(cut.back()) & 0xC0) == 0xC0) cut.pop_back();
    while (!cut.empty() && cut.back() == ' ') cut.pop_back();
    if (text_size(face, em, cut + "…").x <= max_width) break;
  }
  cut += "…";
  const ImVec2 size = text_size(face, em, cut);
  at.x += offset(align, size.x);
  note(list, at, size, text, true);
  list->AddText(face.font, font_pixels(face, em), {std::round(at.x), std::round(at.y)}, color,
                cut.c_str(), nullptr);
  const ImGuiContext& g = *ImGui::GetCurrentContext();
  const ImGuiWindow *here = g.CurrentWindow, *hovered = g.HoveredWindow;
  if (here && hovered && hovered->RootWindowDockTree == here->RootWindowDockTree &&
      ImRect(at, {at.x + size.x, at.y + size.y}).Contains(g.IO.MousePos)) {
    this_frame.pointed_at = text;
  }
}

std::string with_whole_words(ImFont& font, float pixels, std::string_view text, float width) {
  std::string out(text);
  const char* const data = out.data();
  for (size_t start = 0; start < out.size();) {
    const char* const to =
        font.CalcWordWrapPosition(pixels, data + start, data + out.size(), width);
    const auto end = static_cast<size_t>(to - data);
    if (end >= out.size()) break;
    const bool inside = end > start && out[end - 1] != ' ' && out[end] != ' ' && out[end] != '\n';
    const size_t blank = inside ? out.rfind(' ', end) : std::string::npos;
    const bool ends_earlier = blank != std::string::npos && blank > start;
    if (ends_earlier) out[blank] = '\n';
    start = out.find_first_not_of(" \n", ends_earlier ? blank : end);
  }
  return out;
}

float wrapped_height(const Face& face, float em, std::string_view text, float width) {
  if (text.empty()) return 0;
  const float pixels = font_pixels(face, em), wrap = std::max(width, 1.0f);
  const std::string whole = with_whole_words(*face.font, pixels, text, wrap);
  return face.font->CalcTextSizeA(pixels, FLT_MAX, wrap, whole.data(), whole.data() + whole.size())
      .y;
}

std::vector<std::string> wrapped_rows(const Face& face, float em, std::string_view text,
                                      float width) {
  std::vector<std::string> rows;
  const float pixels = font_pixels(face, em);
  const std::string whole = with_whole_words(*face.font, pixels, text, width);
  const char* const all = whole.data() + whole.size();
  for (const char* at = whole.data(); at < all;) {
    const char* const stop =
        std::max(face.font->CalcWordWrapPosition(pixels, at, all, width), at + 1);
    rows.emplace_back(at, stop);
    for (at = stop; at < all && (*at == ' ' || *at == '\n');) ++at;
  }
  return rows;
}

std::vector<std::string> even_rows(const Face& face, float em, std::string_view text, float width) {
  std::vector<std::string> rows = wrapped_rows(face, em, text, width);
  float least = 0;  // width of the widest word, which is not broken
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find(' ', at), text.size());
    least = std::max(least, text_size(face, em, text.substr(at, end - at)).x);
    at = end + 1;
  }
  // Bisect for the smallest width that needs no additional row.
  for (float enough = width; rows.size() > 1 && enough - least > 1;) {
    const float middle = (least + enough) / 2;
    std::vector<std::string> narrower = wrapped_rows(face, em, text, middle);
    if (narrower.size() > rows.size()) {
      least = middle;
    } else {
      enough = middle;
      rows = std::move(narrower);
    }
  }
  return rows;
}

float draw_text_wrapped(ImDrawList* list, ImVec2 at, const Face& face, float em, ImU32 color,
                        std::string_view text, float width) {
  if (text.empty()) return 0;
  const float pixels = font_pixels(face, em), wrap = std::max(width, 1.0f);
  const std::string whole = with_whole_words(*face.font, pixels, text, wrap);
  const char* const end = whole.data() + whole.size();
  const ImVec2 size = face.font->CalcTextSizeA(pixels, FLT_MAX, wrap, whole.data(), end);
  note(list, at, size, text, false);
  list->AddText(face.font, pixels, {std::round(at.x), std::round(at.y)}, color, whole.data(), end,
                wrap);
  return size.y;
}

void fill_cell(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color) {
  // Pixels: up to here the corner pixel is less than half inside an arc of two pixels.
  constexpr float kLargest = 2.5f;
  constexpr float kLeast = 6;  // pixels; narrower cells would look like lenses
  const float rounding = px(2);
  min = {std::round(min.x), std::round(min.y)};
  max = {std::round(max.x), std::round(max.y)};
  if (rounding > kLargest) {
    list->AddRectFilled(min, max, color, rounding);
    return;
  }
  if (std::min(max.x - min.x, max.y - min.y) < kLeast) {
    list->AddRectFilled(min, max, color);
    return;
  }
  list->AddRectFilled({min.x + 1, min.y}, {max.x - 1, min.y + 1}, color);
  list->AddRectFilled({min.x, min.y + 1}, {max.x, max.y - 1}, color);
  list->AddRectFilled({min.x + 1, max.y - 1}, {max.x - 1, max.y}, color);
}

void draw_hatch(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, float spacing,
                float thickness) {
  // Lines x + y = c, at multiples of the spacing in screen coordinates, so that neighbours line up.
  const float first = std::ceil((min.x + min.y) / spacing) * spacing;
  for (float c = first; c < max.x + max.y; c += spacing) {
    const float x0 = std::max(min.x, c - max.y), x1 = std::min(max.x, c - min.y);
    if (x1 - x0 < 0.5f) continue;
    list->AddLine({x0, c - x0}, {x1, c - x1}, color, thickness);
  }
}

void draw_bar(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, bool poor, float rounding) {
  list->AddRectFilled(min, max, color, rounding);
  if (poor && look().digits)
    draw_hatch(list, min, max, with_alpha(look()->panel, 0.75f), px(5), px(1.3f));
}

void draw_lane_digits(ImDrawList* list, ImVec2 min, ImVec2 max, int lane) {
  if (!look().digits) return;
  const Face& face = look().fonts->medium;
  // Two digits, down to the smallest size that is readable up close.
  for (const float em : {kSmall, 9.0f, 8.0f}) {
    const ImVec2 size = text_size(face, em, "00");
    if (size.x > max.x - min.x || size.y > max.y - min.y + px(3)) continue;
    const std::string digits = std::to_string(lane);
    list->AddText(face.font, font_pixels(face, em),
                  {std::round((min.x + max.x - text_size(face, em, digits).x) / 2),
                   std::round((min.y + max.y - size.y) / 2)},
                  text_on(lane_color(lane)), digits.c_str(), nullptr);
    return;
  }
}

void draw_link(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 color, float thickness,
               float grown) {
  if (grown <= 0) return;
  const float bend = (to.y - from.y) * 0.55f;
  const ImVec2 b{from.x, from.y + bend}, c{to.x, to.y - bend};
  if (grown >= 1) {
    list->AddBezierCubic(from, b, c, to, color, thickness, std::abs(from.x - to.x) < 1 ? 1 : 18);
    return;
  }
  // Split the cubic curve with de Casteljau's algorithm; its first part is a cubic curve as well.
  auto lerp = [grown](ImVec2 p, ImVec2 q) {
    return ImVec2{p.x + (q.x - p.x) * grown, p.y + (q.y - p.y) * grown};
  };
  const ImVec2 ab = lerp(from, b), bc = lerp(b, c), cd = lerp(c, to);
  const ImVec2 abc = lerp(ab, bc), bcd = lerp(bc, cd);
  list->AddBezierCubic(from, ab, abc, lerp(abc, bcd), color, thickness, 18);
}

void draw_check(ImDrawList* list, ImVec2 center, float size, ImU32 color, float thickness) {
  const float s = size / 2;
  list->PathLineTo({center.x - s, center.y});
  list->PathLineTo({center.x - s * 0.25f, center.y + s * 0.7f});
  list->PathLineTo({center.x + s, center.y - s * 0.75f});
  list->PathStroke(color, thickness);
}

void draw_cross(ImDrawList* list, ImVec2 center, float size, ImU32 color, float thickness) {
  const float s = size / 2 * 0.8f;
  list->AddLine({center.x - s, center.y - s}, {center.x + s, center.y + s}, color, thickness);
  list->AddLine({center.x - s, center.y + s}, {center.x + s, center.y - s}, color, thickness);
}

void draw_chevron(ImDrawList* list, ImVec2 center, float size, ImGuiDir direction, ImU32 color,
                  float thickness) {
  const float s = size / 2;
  if (direction == ImGuiDir_Down || direction == ImGuiDir_Up) {
    const float y = direction == ImGuiDir_Down ? s / 2 : -s / 2;
    list->PathLineTo({center.x - s, center.y - y});
    list->PathLineTo({center.x, center.y + y});
    list->PathLineTo({center.x + s, center.y - y});
  } else {
    const float x = direction == ImGuiDir_Right ? s / 2 : -s / 2;
    list->PathLineTo({center.x - x, center.y - s});
    list->PathLineTo({center.x + x, center.y});
    list->PathLineTo({center.x - x, center.y + s});
  }
  list->PathStroke(color, thickness);
}

float ease(double since_s, float duration_s) {
  if (!look().motion) return 1;
  const float t = std::clamp(static_cast<float>(since_s / duration_s), 0.0f, 1.0f);
  return 1 - (1 - t) * (1 - t) * (1 - t);
}

}  // namespace warpshop::ui
