#include "panels/lecture_code_size.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "text/format.h"
#include "window/fonts.h"

namespace warpshop::ui {
namespace {

constexpr float kHallCode = 10.5f;  // the smallest size legible from the last row of the hall
constexpr float kLeastColumns = 36;

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

}  // namespace

LectureCodeSize lecture_code_size(const TextEditor& editor, const LineColumn& column_of_figures,
                                  float width) {
  struct CodeLine {
    std::string text;
    float columns = 0, figure = 0;
  };
  std::vector<CodeLine> lines;
  // The editor's margins: before and after the line numbers, and after the mark.
  const size_t gutter = std::to_string(editor.GetLineCount()).size() + 3;
  for (size_t line = 0; line < editor.GetLineCount(); ++line) {
    std::string text = editor.GetLineText(line);
    const size_t code = text.find_first_not_of(' ');
    if (code == std::string::npos || text.compare(code, 2, "//") == 0) continue;
    const auto columns = static_cast<float>(gutter + letters_of(text) + 1);
    lines.push_back(
        {std::move(text), columns, column_of_figures.figure_room(static_cast<int>(line) + 1)});
  }
  const float room = width - px(kLineMark);
  for (float em = kBody + 1; em >= kHallCode; em -= 0.5f) {
    const float column = code_column_width(em);
    const auto fits = [&](const CodeLine& line) {
      return line.columns * column + line.figure <= room;
    };
    if (std::all_of(lines.begin(), lines.end(), fits)) return {em};
  }
  const float column = code_column_width(kHallCode);
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
  return {kHallCode, beside && !strip ? widest : 0};
}

size_t hall_top_line(const TextEditor& editor, size_t kernel, size_t spoken_of, size_t rows) {
  const auto first_row = [&](size_t line) { return editor.DocPos2VisPos({line, 0}).row; };
  const size_t last = editor.DocPos2VisPos({spoken_of, SIZE_MAX}).row;
  const size_t end = editor.DocPos2VisPos({editor.GetLineCount() - 1, SIZE_MAX}).row;
  const size_t upper = std::max<size_t>(1, rows * 2 / 3);
  size_t top = std::min(kernel, spoken_of);
  // A line above the kernel, with the comment and the function around it.
  const auto blank = [&](size_t line) {
    return editor.GetLineText(line).find_first_not_of(' ') == std::string::npos;
  };
  while (top < kernel && top > 0 && !blank(top - 1)) --top;
  while (top < spoken_of && last >= first_row(top) + upper && end >= first_row(top) + rows) ++top;
  return top;
}

}  // namespace warpshop::ui
