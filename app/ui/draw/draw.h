// Drawing by hand: text, hatching, links, marks. Everything a map needs and ImGui has no widget
// for.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "window/fonts.h"
#include "window/theme.h"

namespace warpshop::ui {

class Pictures;

// How this frame looks. Set once at its start; only the window's thread draws.
struct Look {
  const Theme* theme = nullptr;
  const Fonts* fonts = nullptr;
  float scale = 1;               // zoom times the display's scale
  float number = kNumber;        // size of a panel's one number
  bool motion = true;            // short animations of what the user caused
  bool digits = false;           // numbers and hatching beside every colour that has a meaning
  bool tooltips = true;          // what the mouse points at is explained beside it
  Pictures* pictures = nullptr;  // of labs' texts; without it their descriptions are shown
  const Theme* operator->() const { return theme; }
};
Look& look();

inline float px(float value) { return value * look().scale; }
inline ImVec2 px(float x, float y) { return {x * look().scale, y * look().scale}; }

enum class Align { kLeft, kCenter, kRight };

// `at` is the left, middle or right end of the text's top.
void draw_text(ImDrawList* list, ImVec2 at, const Face& face, float em, ImU32 color,
               std::string_view text, Align align = Align::kLeft);
// The same, cut with "…" where it would pass `max_width` pixels: the mouse over it shows the whole.
void draw_text_cut(ImDrawList* list, ImVec2 at, const Face& face, float em, ImU32 color,
                   std::string_view text, float max_width, Align align = Align::kLeft);
// In lines of at most `width` pixels. Returns the height.
float draw_text_wrapped(ImDrawList* list, ImVec2 at, const Face& face, float em, ImU32 color,
                        std::string_view text, float width);
float wrapped_height(const Face& face, float em, std::string_view text, float width);
std::vector<std::string> wrapped_rows(const Face& face, float em, std::string_view text,
                                      float width);
// As few rows as these, and as even as can be: no last row of a single word.
std::vector<std::string> even_rows(const Face& face, float em, std::string_view text, float width);
// The whole of a text that was cut in this frame and that the mouse points at. Empty: none.
std::string take_cut_text();

// A text that was drawn, and the room it has, for the tests that look for text that does not fit.
struct DrawnText {
  std::string text;  // whole
  ImVec2 min, max;   // as drawn
  ImVec2 room_min, room_max;
  std::string window;
  bool cut = false;                           // with "…"
  bool mark = false;                          // see ScaleMarks
  bool scrolls_x = false, scrolls_y = false;  // what lies outside can be scrolled to
};
// While one lives, texts are marks of a scale and names of places, a tick, a lane, a bank, a line:
// no figures of a run, which have to say what they are.
class ScaleMarks {
 public:
  ScaleMarks();
  ~ScaleMarks();
  ScaleMarks(const ScaleMarks&) = delete;
  ScaleMarks& operator=(const ScaleMarks&) = delete;
};
// Null, but in such a test: then every text is added to it.
std::vector<DrawnText>*& drawn_texts();
// A text that Dear ImGui draws at that place of the current window.
void note_text(ImVec2 min, ImVec2 max, std::string_view text, ImVec2 room_min, ImVec2 room_max);
ImVec2 text_size(const Face& face, float em, std::string_view text);
float line_height(const Face& face, float em);

// A cell of a map of many: whole pixels, rounded corners unless it is narrow. Where a pixel less in
// each corner looks round, that is all: three rectangles instead of an arc's dozens of triangles,
// which a software renderer feels.
void fill_cell(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color);

// Slanted lines over a rectangle: waste, wrong.
void draw_hatch(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, float spacing,
                float thickness);

// A bar that is as long as it should be, or `poor`: hatched besides where look().digits asks for
// it.
void draw_bar(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, bool poor, float rounding);
// The lane's number in its cell, where it fits and look().digits asks for it.
void draw_lane_digits(ImDrawList* list, ImVec2 min, ImVec2 max, int lane);

// A link that leaves `from` and reaches `to` vertically. `grown` 0 to 1: the part drawn.
void draw_link(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 color, float thickness,
               float grown = 1);

void draw_check(ImDrawList* list, ImVec2 center, float size, ImU32 color, float thickness);
void draw_cross(ImDrawList* list, ImVec2 center, float size, ImU32 color, float thickness);
// Points right, left or down.
void draw_chevron(ImDrawList* list, ImVec2 center, float size, ImGuiDir direction, ImU32 color,
                  float thickness);

// Eases a change that the user caused: seconds since it, over `duration_s` (0.12 to 0.18). 1 when
// motion is off.
float ease(double since_s, float duration_s);

}  // namespace warpshop::ui
