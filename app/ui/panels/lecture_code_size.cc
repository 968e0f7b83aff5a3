#include "panels/lecture_code_size.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "text/format.h"
#include "window/fonts.h"

namespace warpshop::ui {
namespace {

// Text sizes, for a lecture that is not magnified. From the last row of the hall, code of the first
// is still legible; the second is two thirds of the words', and worth wrapping a few lines for.
constexpr float kLeastLectureCodeSize = 9.5f, kNormal = 10.5f, kLegible = 12,
                kMostLectureCodeSize = 16;
constexpr float kLeastColumns = 36;
// A line that accesses memory has a figure after it, once the kernel has run.
constexpr float kFigureRoom = 100;
constexpr size_t kHallRows = 14;  // enough to follow a kernel
constexpr size_t kOneOf = 4;      // lines may be wrapped for legible code
constexpr size_t kWhole = SIZE_MAX;
constexpr size_t kMargins = 3;  // the editor's: around the line numbers, and after the mark

// The line without the comment at its end; empty: there is only a comment, or nothing.
std::string code_of(const std::string& line) {
  const std::string code = line.substr(0, line.find("//"));
  return code.substr(0, code.find_last_not_of(' ') + 1);
}

// A line wrapped as the editor wraps it: after spaces, with each row indented like the first.
struct Wrapped {
  size_t rows = 1, last = 0;  // columns of the last row
};
Wrapped wrapped(std::string_view text, size_t columns) {
  size_t at = 0, row = 0, start = 0, breakable = 0, rows = 1;
  std::string letters(text);
  std::erase_if(letters, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; });
  const size_t indent = std::min(letters.find_first_not_of(' '), letters.size());
  while (at < letters.size()) {
    if (++row < columns) {
      if (letters[at++] == ' ') breakable = at;
      continue;
    }
    start = breakable = at = breakable == start ? at + 1 : breakable;
    row = indent;
    if (at < letters.size()) ++rows;
  }
  return {rows, row};
}

// Width of the editor's columns at that size, in whole pixels.
float code_column_width(float em) {
  ScopedFont font(look().fonts->editor, em);
  return ImGui::CalcTextSize("#").x;
}

// The last line of the kernel that starts in line `kernel`.
size_t last_line_of(const TextEditor& editor, size_t kernel) {
  for (size_t line = kernel; line < editor.GetLineCount(); ++line) {
    if (editor.GetLineText(line).starts_with('}')) return line;
  }
  return editor.GetLineCount() - 1;
}

// The line to show at the top; `first_row` and `end` are rows of the wrapped or unwrapped text.
template <typename FirstRow>
size_t top_line(const TextEditor& editor, size_t kernel, size_t spoken_of, size_t rows,
                FirstRow first_row) {
  const size_t last = first_row(spoken_of + 1) - 1, end = first_row(editor.GetLineCount()) - 1;
  // What must not be cut: the kernel, or all of the text if the line lies behind it.
  const size_t closing = last_line_of(editor, kernel);
  const size_t of_kernel = spoken_of <= closing ? first_row(closing + 1) - 1 : end;
  const size_t upper = std::max<size_t>(1, rows * 2 / 3);
  size_t top = std::min(kernel, spoken_of);
  // A line above the kernel, with the comment and the function around it.
  const auto blank = [&](size_t line) {
    return editor.GetLineText(line).find_first_not_of(' ') == std::string::npos;
  };
  while (top < kernel && top > 0 && !blank(top - 1)) --top;
  while (top < spoken_of && last >= first_row(top) + upper && of_kernel >= first_row(top) + rows)
    ++top;
  // The view ends with the text. If it would begin inside a wrapped line, show that line whole and
  // leave the end out.
  if (end >= rows && first_row(top) > end + 1 - rows) {
    size_t line = top;
    while (first_row(line) > end + 1 - rows) --line;
    if (last < first_row(line) + rows) top = line;
  }
  return top;
}

// ImGui rounds the font's height to whole pixels.
float row_pitch(float em) {
  return std::round(line_height(look().fonts->editor, em)) * kEditorLine;
}

// Looks for the size of a scene's code.
class CodeFit {
 public:
  CodeFit(const TextEditor& editor, const LineColumn& figures, ImVec2 space, size_t kernel,
          size_t spoken_of)
      : editor_(editor),
        space_(space),
        room_(space.x - px(kLineMark)),
        kernel_(kernel),
        spoken_of_(spoken_of),
        end_(std::max(last_line_of(editor, kernel), spoken_of)),
        gutter_(std::to_string(editor.GetLineCount()).size() + kMargins),
        widest_(std::ceil(figures.widest_figure())) {
    for (size_t line = 0; line < editor.GetLineCount(); ++line) {
      CodeLine& added = lines_.emplace_back();
      added.whole = editor.GetLineText(line);
      added.code = code_of(added.whole);
      if (added.code.empty()) continue;
      // The figure comes with the answer; its room is there before, so that the code does not move.
      const bool accesses = added.code.find('[') != std::string::npos;
      added.figure = std::max(figures.figure_room(static_cast<int>(line) + 1),
                              accesses ? px(kFigureRoom) / hall_magnification() : 0);
    }
  }

  // A text without a wrapped line, from the top of what is shown to its end.
  bool unwrapped(float size) const {
    const size_t all = std::min(kHallRows, lines_.size() - std::min(kernel_, spoken_of_));
    return rows_of(size) >= all && cut(size);
  }
  // The same, but the text may be longer than the panel.
  bool cut(float size) const {
    const size_t rows = rows_of(size), first = top(rows, 0);
    return fits(size, 0, first, std::min(first + rows, lines_.size()), 0);
  }
  // The kernel, or `least` lines if it has more, with a figure at each line, and at most one
  // of `share` lines wrapped; `beside`: the figures have a column of their own.
  bool wraps_few(float size, size_t least, size_t share, float beside) const {
    const size_t columns = columns_of(size, beside);
    if (static_cast<float>(columns) < kLeastColumns) return false;
    const size_t rows = rows_of(size), first = std::min(kernel_, spoken_of_);
    const auto lines_in = [&](size_t from) {
      size_t line = from, used = 0;
      while (line < lines_.size() && (used += wrapped(lines_[line].whole, columns).rows) <= rows)
        ++line;
      return line - from;
    };
    const size_t kernel = end_ - first + 1;
    const bool whole = lines_in(first) >= kernel;
    if (!whole && least == kWhole) return false;
    const size_t from = whole ? first : top(rows, columns);
    const size_t seen = lines_in(from);
    return (whole || seen >= std::min(kernel, least)) &&
           fits(size, beside, from, from + seen, std::max<size_t>(2, seen / share));
  }
  // Any size at all: figures that fit at the end of no row of their line have a column, unless that
  // makes the code a strip, which nobody can read. Then each figure goes wherever there is room.
  LectureCodeSize whatever(float size) const {
    const size_t columns = columns_of(size, 0);
    const bool beside = std::any_of(lines_.begin(), lines_.end(), [&](const CodeLine& line) {
      return line.figure > 0 && !has_room(line, columns, size, 0);
    });
    const bool strip =
        room_ - widest_ < (static_cast<float>(gutter_) + kLeastColumns) * code_column_width(size);
    return {size, beside && !strip ? widest_ : 0};
  }
  float widest() const { return widest_; }

 private:
  struct CodeLine {
    std::string whole, code;  // with and without its comment
    float figure = 0;
  };

  size_t rows_of(float size) const {
    return static_cast<size_t>(std::max(1.0f, space_.y / row_pitch(size)));
  }
  size_t columns_of(float size, float beside) const {
    const float all = (room_ - beside) / code_column_width(size);
    return static_cast<size_t>(std::max(all, static_cast<float>(gutter_ + 2))) - gutter_;
  }
  // The line at the top of the view; columns 0: no line is wrapped.
  size_t top(size_t rows, size_t columns) const {
    return top_line(editor_, kernel_, spoken_of_, rows, [&](size_t line) {
      if (columns == 0) return line;
      size_t row = 0;
      for (size_t n = 0; n < std::min(line, lines_.size()); ++n)
        row += wrapped(lines_[n].whole, columns).rows;
      return row;
    });
  }
  // True if the line's figure fits into its last row.
  bool has_room(const CodeLine& line, size_t columns, float size, float beside) const {
    const size_t last = wrapped(line.code, columns).last;
    return beside > 0 ||
           static_cast<float>(gutter_ + last + 1) * code_column_width(size) + line.figure <= room_;
  }
  bool fits(float size, float beside, size_t from, size_t to, size_t most_wrapped) const {
    const size_t columns = columns_of(size, beside);
    size_t count = 0;
    for (size_t line = from; line < to; ++line) {
      if (lines_[line].code.empty()) continue;
      count += wrapped(lines_[line].code, columns).rows > 1 ? 1 : 0;
      if (!has_room(lines_[line], columns, size, beside)) return false;
    }
    return count <= most_wrapped;
  }

  const TextEditor& editor_;
  const ImVec2 space_;
  const float room_;
  const size_t kernel_, spoken_of_, end_, gutter_;
  const float widest_;
  std::vector<CodeLine> lines_;
};

}  // namespace

float hall_magnification() {
  const ImVec2 screen = ImGui::GetMainViewport()->Size;
  return std::max(1.0f, px(1) / std::min(screen.y / 500, screen.x / 800));
}

LectureCodeSize lecture_code_size(const TextEditor& editor, const LineColumn& column_of_figures,
                                  ImVec2 space, size_t kernel, size_t spoken_of) {
  const CodeFit fit(editor, column_of_figures, space, kernel, spoken_of);
  const float magnification = hall_magnification();
  // Sizes are of the window, as everywhere; those of a lecture that is not magnified are smaller.
  const float least = kNormal / magnification;
  constexpr float kStep = 0.5f;
  const auto largest = [&](float most, auto fits) -> std::optional<LectureCodeSize> {
    for (float size = most; size >= least - 0.01f; size -= kStep / magnification) {
      for (const float beside : {0.0f, fit.widest()}) {
        if (fits(size, beside)) return LectureCodeSize{size, beside};
      }
    }
    return std::nullopt;
  };
  std::optional<LectureCodeSize> best;
  const auto take = [&](std::optional<LectureCodeSize> other) {
    if (other && (!best || other->em > best->em)) best = other;
  };
  take(largest(kMostLectureCodeSize,
               [&](float size, float beside) { return beside == 0 && fit.unwrapped(size); }));
  take(largest(kLegible, [&](float size, float beside) {
    return fit.wraps_few(size, kWhole, kOneOf, beside);
  }));
  // A longer kernel, or one magnified: as much of it as the hall needs to follow.
  if (!best || magnification > 1) {
    const auto lines =
        static_cast<size_t>(static_cast<float>(kHallRows) / (magnification * magnification));
    const size_t share = magnification > 1 ? 1 : kOneOf;
    take(largest(kLegible, [&](float size, float beside) {
      return fit.wraps_few(size, lines, share, beside);
    }));
  }
  if (best) return *best;
  for (float size = kNormal; size >= kLeastLectureCodeSize; size -= kStep) {
    if (fit.cut(size / magnification)) return {size / magnification};
  }
  return fit.whatever(least);
}

ImVec2 wanted_hall_size(const std::string& text, size_t kernel) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  const auto gutter = static_cast<float>(std::to_string(lines.size() + 1).size() + kMargins);
  const float column = code_column_width(kLeastLectureCodeSize / hall_magnification());
  const float figure = px(kFigureRoom) / hall_magnification();
  float width = 0;
  for (size_t line = std::min(kernel, lines.size()); line < lines.size(); ++line) {
    const std::string code = code_of(lines[line]);
    if (code.empty()) continue;
    const float columns = gutter + static_cast<float>(letters_of(code)) + 1;
    const bool accesses = code.find('[') != std::string::npos;
    width = std::max(width, columns * column + (accesses ? figure : 0));
  }
  size_t end = std::min(kernel, lines.size());
  while (end < lines.size() && !lines[end++].starts_with('}')) {
  }
  constexpr size_t kWraps = 4;  // rows more, since long lines are wrapped
  const size_t rows = std::min(kHallRows, end - std::min(kernel, end) + kWraps);
  return {width + px(kLineMark),
          row_pitch(kLegible / hall_magnification()) * static_cast<float>(rows)};
}

size_t hall_top_line(const TextEditor& editor, size_t kernel, size_t spoken_of, size_t rows) {
  return top_line(editor, kernel, spoken_of, rows, [&](size_t line) {
    return line < editor.GetLineCount()
               ? editor.DocPos2VisPos({line, 0}).row
               : editor.DocPos2VisPos({editor.GetLineCount() - 1, SIZE_MAX}).row + 1;
  });
}

}  // namespace warpshop::ui
