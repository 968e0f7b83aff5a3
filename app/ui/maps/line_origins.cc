#include "maps/line_origins.h"

#include <algorithm>

#include "core/lines.h"

namespace warpshop::ui {
namespace {

constexpr double kSame = 1.001;  // prefer an unchanged line to a slightly changed one
constexpr double kAlike = 0.5;   // at least this fraction of the longer line is unchanged
// Of lines to compare; in a text that changed more, the changed part has no origins.
constexpr size_t kMostPairs = 400'000;

std::vector<std::string_view> lines_without_indentation(std::string_view text) {
  std::vector<std::string_view> lines = split_lines(text);
  for (std::string_view& line : lines)
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  return lines;
}

// The common prefix and suffix as a fraction of the longer
// line; 0 if less than kAlike, or if a line is empty.
double likeness(std::string_view a, std::string_view b) {
  if (a == b) return kSame;
  const size_t least = std::min(a.size(), b.size()), most = std::max(a.size(), b.size());
  if (least == 0) return 0;
  size_t front = 0, back = 0;
  while (front < least && a[front] == b[front]) ++front;
  while (back < least - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  const double part = static_cast<double>(front + back) / static_cast<double>(most);
  return part >= kAlike ? part : 0;
}

}  // namespace

std::vector<int> line_origins(std::string_view then, std::string_view now) {
  const std::vector<std::string_view> a = lines_without_indentation(then),
                                      b = lines_without_indentation(now);
  std::vector<int> origins(b.size(), 0);
  const size_t least = std::min(a.size(), b.size());
  size_t front = 0, back = 0;
  while (front < least && a[front] == b[front]) ++front;
  while (back < least - front && a[a.size() - 1 - back] == b[b.size() - 1 - back]) ++back;
  for (size_t n = 0; n < front; ++n) origins[n] = static_cast<int>(n) + 1;
  for (size_t n = 0; n < back; ++n) origins[b.size() - 1 - n] = static_cast<int>(a.size() - n);

  // Align the lines in between so that the total likeness
  // is greatest: best[i][j] is the total from i and j on.
  const size_t rows = a.size() - front - back, columns = b.size() - front - back;
  if (rows * columns > kMostPairs) return origins;
  std::vector<double> best((rows + 1) * (columns + 1), 0);
  const auto at = [&](size_t i, size_t j) -> double& { return best[i * (columns + 1) + j]; };
  for (size_t i = rows; i-- > 0;) {
    for (size_t j = columns; j-- > 0;) {
      const double alike = likeness(a[front + i], b[front + j]);
      at(i, j) = std::max({at(i + 1, j), at(i, j + 1), alike > 0 ? alike + at(i + 1, j + 1) : 0});
    }
  }
  for (size_t i = 0, j = 0; i < rows && j < columns;) {
    const double alike = likeness(a[front + i], b[front + j]);
    if (alike > 0 && at(i, j) == alike + at(i + 1, j + 1)) {
      origins[front + j++] = static_cast<int>(front + i++) + 1;
    } else if (at(i, j) == at(i + 1, j)) {
      ++i;
    } else {
      ++j;
    }
  }
  return origins;
}

}  // namespace warpshop::ui
