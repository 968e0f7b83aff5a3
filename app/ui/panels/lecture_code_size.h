// Text size of the code in a lecture.
#pragma once

#include "TextEditor.h"
#include "draw/draw.h"
#include "panels/line_column.h"

namespace warpshop::ui {

inline constexpr float kLineMark = 8;  // width beside the line numbers, unscaled

// An audience cannot scroll, so in a lecture the code is as large as its longest line and the
// figure after it permit, ignoring comments. If that would be unreadably small, long lines are
// wrapped and each figure goes into the last row of its line; if it does not fit there either, all
// figures move to a column beside the text.
struct LectureCodeSize {
  float em = kBody;
  float figures = 0;  // width reserved beside the text, in pixels
  bool operator==(const LectureCodeSize&) const = default;
};
LectureCodeSize lecture_code_size(const TextEditor& editor, const LineColumn& column, float width);

// Returns the line, from 0, to show at the top of `rows` rows: the kernel's first line if all the
// rest, or `spoken_of` in the upper two thirds, is then visible. Else the first line for which one
// of them is: what `spoken_of` uses is in view above it, and what follows from it below.
size_t hall_top_line(const TextEditor& editor, size_t kernel, size_t spoken_of, size_t rows);

}  // namespace warpshop::ui
