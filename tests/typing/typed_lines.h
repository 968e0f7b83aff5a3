// Texts as a person types them into an editor that indents by itself.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace warpshop::ui {

// The lines without what an editor adds by itself: white space at both ends of a line, and empty
// lines at the end.
inline std::vector<std::string> lines_without_indentation(const std::string& text) {
  std::vector<std::string> out;
  for (size_t at = 0; at < text.size();) {
    const size_t end = std::min(text.find('\n', at), text.size());
    const std::string line = text.substr(at, end - at);
    const size_t first = line.find_first_not_of(' ');
    out.push_back(first == std::string::npos
                      ? ""
                      : line.substr(first, line.find_last_not_of(' ') + 1 - first));
    at = end + 1;
  }
  while (!out.empty() && out.back().empty()) out.pop_back();
  return out;
}

// The text as a person types it: the editor indents.
inline std::string without_indentation(const std::string& text) {
  std::string out;
  for (const std::string& line : lines_without_indentation(text)) out += line + "\n";
  return out;
}

}  // namespace warpshop::ui
