// Text size of the code in a lecture.
#pragma once

#include <string>

#include "TextEditor.h"
#include "draw/draw.h"
#include "panels/line_column.h"

namespace warpshop::ui {

inline constexpr float kLineMark = 8;  // width beside the line numbers, unscaled

// How much larger the lecture is drawn than the screen asks for; 1: not at all. The figures at the
// lines do not take part, and the code as far as enough of the kernel stays visible.
float hall_magnification();

// An audience can neither scroll nor come closer, so the code of a lecture is as large as the panel
// permits: its kernel is whole, or as much of it as one needs to follow, with the line that the
// scene speaks of, and with a figure at each line. A few long lines are wrapped rather than the
// others shrunk; each figure then goes into the last row of its line. If it does not fit there, all
// figures move to a column beside the text. Magnified, less of the kernel is enough, and more lines
// may be wrapped.
struct LectureCodeSize {
  float em = kBody;
  float figures = 0;  // width reserved beside the text, in pixels
  bool operator==(const LectureCodeSize&) const = default;
};
// The lines, from 0: where the kernel starts, and the one that must be in sight.
LectureCodeSize lecture_code_size(const TextEditor& editor, const LineColumn& column, ImVec2 space,
                                  size_t kernel, size_t spoken_of);

// The editor's size, in pixels, that shows the kernel's rows without wrapping them.
ImVec2 wanted_hall_size(const std::string& text, size_t kernel);

// Returns the line, from 0, to show at the top of `rows` rows: the kernel's first line if all the
// rest, or `spoken_of` in the upper two thirds, is then visible. Else the first line for which one
// of them is: what `spoken_of` uses is in view above it, and what follows from it below.
size_t hall_top_line(const TextEditor& editor, size_t kernel, size_t spoken_of, size_t rows);

}  // namespace warpshop::ui
