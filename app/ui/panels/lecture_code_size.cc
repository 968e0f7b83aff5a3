#include "panels/lecture_code_size.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "text/format.h"
#include "window/fonts.h"

namespace warpshop::ui {
namespace {

// Text sizes, before the lecture is magnified. From the last row of the hall, code of the second is
// legible with ease; of the first, still.
constexpr float kLeastLectureCodeSize = 9.5f, kLectureCodeSize = 10.5f, kMostLectureCodeSize = 16;
constexpr float kLeastColumns = 36;
// A line that accesses memory has a figure after it, once the kernel has run.
constexpr float kFigureRoom = 100;
constexpr size_t kHallRows = 14;  // enough to follow a kernel
constexpr size_t kMargins = 3;    // the editor's: around the line numbers, and after the mark

// The line without the comment at its end; empty: there is only a comment, or nothing.
std::string code_of(const std::string& line) {
  const std::string code = line.substr(0, line.find("//"));
  return code.substr(0, code.find_last_not_of(' ') + 1);
}

// Returns the number of columns in a line's last row, wrapped as the editor wraps it: after spaces,
// with each row indented like the first.
size_t last_row(std::string_view text, size_t columns) {
  size_t at = 0, row = 0, start = 0, breakable = 0;
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
  }
  return row;
}

// Width of the editor's columns at that size, in whole pixels.
float code_column_width(float em) {
  ScopedFont font(look().fonts->editor, em);
  return ImGui::CalcTextSize("#").x;
}

// The line to show at the top; `first_row` and `end` are rows of the wrapped or unwrapped text.
template <typename FirstRow>
size_t top_line(const TextEditor& editor, size_t kernel, size_t spoken_of, size_t rows,
                FirstRow first_row) {
  const size_t last = first_row(spoken_of + 1) - 1, end = first_row(editor.GetLineCount()) - 1;
  const size_t upper = std::max<size_t>(1, rows * 2 / 3);
  size_t top = std::min(kernel, spoken_of);
  // A line above the kernel, with the comment and the function around it.
  const auto blank = [&](size_t line) {
    return editor.GetLineText(line).find_first_not_of(' ') == std::string::npos;
  };
  while (top < kernel && top > 0 && !blank(top - 1)) --top;
  while (top < spoken_of && last >= first_row(top) + upper && end >= first_row(top) + rows) ++top;
  // The view ends with the text. If it would begin inside a wrapped line, show that line whole and
  // leave the end out.
  if (end >= rows && first_row(top) > end + 1 - rows) {
    size_t line = top;
    while (first_row(line) > end + 1 - rows) --line;
    if (last < first_row(line) + rows) top = line;
  }
  return top;
}

float row_pitch(float em) { return std::floor(px(em)) * kEditorLine; }

}  // namespace

float hall_magnification() {
  const ImVec2 screen = ImGui::GetMainViewport()->Size;
  return std::max(1.0f, px(1) / std::min(screen.y / 500, screen.x / 800));
}

LectureCodeSize lecture_code_size(const TextEditor& editor, const LineColumn& column_of_figures,
                                  ImVec2 space, size_t kernel, size_t spoken_of) {
  struct CodeLine {
    std::string text;
    float columns = 0, figure = 0;
  };
  std::vector<CodeLine> lines(editor.GetLineCount());
  const size_t gutter = std::to_string(editor.GetLineCount()).size() + kMargins;
  for (size_t line = 0; line < lines.size(); ++line) {
    std::string text = code_of(editor.GetLineText(line));
    if (text.empty()) continue;
    const auto columns = static_cast<float>(gutter + letters_of(text) + 1);
    // The figure comes with the answer; its room is there before, so that the code does not move.
    const float expected =
        text.find('[') != std::string::npos ? kFigureRoom / hall_magnification() : 0;
    const float figure = column_of_figures.figure_room(static_cast<int>(line) + 1);
    lines[line] = {std::move(text), columns, std::max(figure, px(expected))};
  }
  const float room = space.x - px(kLineMark);
  const float normal = kLectureCodeSize / hall_magnification();
  const size_t wanted = std::min(kHallRows, lines.size() - std::min(kernel, spoken_of));
  for (float em = kMostLectureCodeSize; em >= kLeastLectureCodeSize; em -= 0.5f) {
    const float size = em / hall_magnification();
    const auto rows = static_cast<size_t>(std::max(1.0f, space.y / row_pitch(size)));
    if (em > kLectureCodeSize && rows < wanted) continue;
    const size_t top = top_line(editor, kernel, spoken_of, rows, [](size_t line) { return line; });
    const float column = code_column_width(size);
    const auto fits = [&](const CodeLine& line) {
      return line.columns * column + line.figure <= room;
    };
    const auto first = lines.begin() + static_cast<ptrdiff_t>(top);
    if (std::all_of(first, first + static_cast<ptrdiff_t>(std::min(rows, lines.size() - top)),
                    fits))
      return {size};
  }
  const float column = code_column_width(normal);
  const auto columns =
      static_cast<size_t>(std::max(room / column, static_cast<float>(gutter + 2))) - gutter;
  const bool beside = std::any_of(lines.begin(), lines.end(), [&](const CodeLine& line) {
    return line.figure > 0 &&
           static_cast<float>(gutter + last_row(line.text, columns) + 1) * column + line.figure >
               room;
  });
  const float widest = std::ceil(column_of_figures.widest_figure());
  // Code in a narrow strip is unreadable: if a column of figures would make the code that narrow,
  // each figure goes wherever its line leaves room.
  const bool strip = room - widest < (static_cast<float>(gutter) + kLeastColumns) * column;
  return {normal, beside && !strip ? widest : 0};
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
  const size_t rows = std::min(kHallRows, lines.size() - std::min(kernel, lines.size()));
  return {width + px(kLineMark),
          row_pitch(kLectureCodeSize / hall_magnification()) * static_cast<float>(rows)};
}

size_t hall_top_line(const TextEditor& editor, size_t kernel, size_t spoken_of, size_t rows) {
  return top_line(editor, kernel, spoken_of, rows, [&](size_t line) {
    return line < editor.GetLineCount()
               ? editor.DocPos2VisPos({line, 0}).row
               : editor.DocPos2VisPos({editor.GetLineCount() - 1, SIZE_MAX}).row + 1;
  });
}

}  // namespace warpshop::ui
