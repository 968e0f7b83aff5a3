#include "core/lines.h"

#include <algorithm>

namespace warpshop {

size_t offset_of_line(std::string_view text, int line) {
  size_t at = 0;
  for (int n = 1; n < line; ++n) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return at;
    ++at;
  }
  return at;
}

std::string_view nth_line(std::string_view text, int line) {
  const size_t at = line < 1 ? std::string_view::npos : offset_of_line(text, line);
  if (at == std::string_view::npos) return {};
  text = text.substr(at, text.find('\n', at) - at);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

std::vector<std::string_view> split_lines(std::string_view text) {
  std::vector<std::string_view> lines;
  for (size_t at = 0; at <= text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

SourcePlace place_in_text(std::string_view text, size_t at, size_t length,
                          const std::string& file_name) {
  const std::string_view before = text.substr(0, at);
  const size_t line_start = before.rfind('\n') + 1;  // npos + 1 is 0
  return {file_name, static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
          static_cast<int>(at - line_start) + 1, static_cast<int>(length)};
}

bool has_only_carriage_returns(std::string_view text) {
  const size_t first = text.find('\r');
  return first != std::string_view::npos && text.find('\n') == std::string_view::npos &&
         text.find_first_not_of(" \t\r", first) != std::string_view::npos;
}

}  // namespace warpshop
