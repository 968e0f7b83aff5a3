// How large the code is in a lecture.
#pragma once

#include "TextEditor.h"
#include "draw/draw.h"
#include "panels/line_column.h"

namespace warpshop::ui {

inline constexpr float kLineMark = 8;  // beside the line numbers, unscaled

// A class cannot scroll: in a lecture the code is as large as its longest line and the figure
// behind it leave it, comments apart. Where that is too small to be read, long lines are wrapped,
// and a figure stands in its line's last row; where that has no room for one either, all figures
// stand beside the text.
struct HallCode {
  float em = kBody;
  float figures = 0;  // the room beside the text, in pixels
  bool operator==(const HallCode&) const = default;
};
HallCode hall_code(const TextEditor& editor, const LineColumn& column, float width);

// The line at the top of `rows` rows, counted from 0: the kernel's first, unless the line spoken of
// would then lie below them; it is the last in sight in that case, with as much as possible of what
// it uses above it.
size_t hall_top_line(const TextEditor& editor, size_t kernel, size_t spoken_of, size_t rows);

}  // namespace warpshop::ui
