// Drawing helpers for everything a map needs and ImGui has no widget for: text, hatching, links,
// marks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "imgui.h"
#include "window/fonts.h"
#include "window/theme.h"

namespace warpshop::ui {

class Pictures;

// Appearance of the current frame.
struct Look {
  const Theme* theme = nullptr;
  const Fonts* fonts = nullptr;
  float scale = 1;               // zoom × display scale
  float number = kNumber;        // text size of a panel's main number
  bool motion = true;            // animate changes made by the user
  bool digits = false;           // numbers and hatching in addition to each meaningful colour
  bool tooltips = true;          // explain what the mouse points at
  Pictures* pictures = nullptr;  // for labs' texts; if null, their descriptions are shown
  const Theme* operator->() const { return theme; }
};
const Look& look();
void use_look(const Look& look);  // only the window's thread draws

inline float px(float value) { return value * look().scale; }
inline ImVec2 px(float x, float y) { return {x * look().scale, y * look().scale}; }

enum class Align { kLeft, kCenter, kRight };

// Draws `text` with `at` at its top left, top centre or top right.
void draw_text(ImDrawList* list, ImVec2 at, const Face& face, float em, ImU32 color,
               std::string_view text, Align align = Align::kLeft);
// Like draw_text(), but truncates with "…" at `max_width` pixels; hovering shows the full text.
void draw_text_cut(ImDrawList* list, ImVec2 at, const Face& face, float em, ImU32 color,
                   std::string_view text, float max_width, Align align = Align::kLeft);
// The text with line breaks before words that ImGui would break after a dot or comma inside them.
std::string with_whole_words(ImFont& font, float pixels, std::string_view text, float width);
// Wraps `text` to `width` pixels, between words. Returns the height.
float draw_text_wrapped(ImDrawList* list, ImVec2 at, const Face& face, float em, ImU32 color,
                        std::string_view text, float width);
float wrapped_height(const Face& face, float em, std::string_view text, float width);
std::vector<std::string> wrapped_rows(const Face& face, float em, std::string_view text,
                                      float width);
// Wraps to as few rows as wrapped_rows(), but balanced: no single word alone in the last row.
std::vector<std::string> even_rows(const Face& face, float em, std::string_view text, float width);
// Returns the full text of the truncated text under the mouse in this frame; empty if none.
std::string take_cut_text();

// While an instance lives, drawn texts are scale marks and names of places (a tick, a lane, a bank,
// a line) rather than figures of a run, which must have an explanation.
class ScaleMarks {
 public:
  ScaleMarks();
  ~ScaleMarks();
  ScaleMarks(const ScaleMarks&) = delete;
  ScaleMarks& operator=(const ScaleMarks&) = delete;
};
// Tells the observer (draw/observer.h) of a text that Dear ImGui itself draws at this place in the
// current window.
void note_text(ImVec2 min, ImVec2 max, std::string_view text, ImVec2 room_min, ImVec2 room_max);
ImVec2 text_size(const Face& face, float em, std::string_view text);
float line_height(const Face& face, float em);

// Fills one cell of a map with many: aligned to whole pixels, with rounded corners unless it is
// narrow. Where omitting one pixel per corner looks round, it draws just three rectangles instead
// of an arc's dozens of triangles, which would slow down a software renderer.
void fill_cell(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color);

// Draws slanted lines over a rectangle, to mark it as waste or wrong.
void draw_hatch(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, float spacing,
                float thickness);

// Draws a bar of the proper length, or a `poor` one, which is also hatched if look().digits is set.
void draw_bar(ImDrawList* list, ImVec2 min, ImVec2 max, ImU32 color, bool poor, float rounding);
// Draws the lane's number in its cell if it fits and look().digits is set.
void draw_lane_digits(ImDrawList* list, ImVec2 min, ImVec2 max, int lane);

// Draws a link that leaves `from` and reaches `to` vertically. `grown`: the part drawn, 0 to 1.
void draw_link(ImDrawList* list, ImVec2 from, ImVec2 to, ImU32 color, float thickness,
               float grown = 1);

void draw_check(ImDrawList* list, ImVec2 center, float size, ImU32 color, float thickness);
void draw_cross(ImDrawList* list, ImVec2 center, float size, ImU32 color, float thickness);
// `direction`: left, right, up or down.
void draw_chevron(ImDrawList* list, ImVec2 center, float size, ImGuiDir direction, ImU32 color,
                  float thickness);

// Progress of a change made by the user, `since_s` seconds ago and animated over `duration_s` (0.12
// to 0.18). Always 1 if motion is off.
float ease(double since_s, float duration_s);

}  // namespace warpshop::ui
