#include "grade/csv.h"

#include <string_view>

#include "core/terminal_text.h"

namespace warpshop::grade {
namespace {

// The characters that start a formula in a spreadsheet; the last four are full-width forms.
bool begins_formula(std::string_view text) {
  const size_t first = text.find_first_not_of(" \"'");
  if (first == std::string_view::npos) return false;
  text.remove_prefix(first);
  return std::string_view("=+-@").find(text[0]) != std::string_view::npos ||
         text.starts_with("\uFF1D") || text.starts_with("\uFF0B") || text.starts_with("\uFF0D") ||
         text.starts_with("\uFF20");
}

}  // namespace

std::string csv_cell(const std::string& written) {
  const std::string text = terminal_text(written);
  std::string guarded;
  bool first = true;
  for (size_t at = 0; at < text.size(); ++at) {
    if (first && begins_formula(std::string_view(text).substr(at))) guarded += '\'';
    guarded += text[at];
    first = std::string_view(";\t\r\n").find(text[at]) != std::string_view::npos;
  }
  if (guarded.find_first_of(",;\"\t\r\n") == std::string::npos) return guarded;
  std::string out = "\"";
  for (const char c : guarded) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

}  // namespace warpshop::grade
