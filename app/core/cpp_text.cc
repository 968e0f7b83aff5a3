#include "core/cpp_text.h"

#include <algorithm>
#include <vector>

#include "core/ascii.h"

namespace warpshop {
namespace {

// The indentation of the line that contains `at`, in columns; a tab advances to the next multiple
// of four.
size_t indent_of(std::string_view text, size_t at) {
  const size_t newline = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  size_t columns = 0;
  for (size_t n = newline == std::string_view::npos ? 0 : newline + 1; n < text.size(); ++n) {
    if (text[n] == ' ') {
      ++columns;
    } else if (text[n] == '\t') {
      columns += 4 - columns % 4;
    } else {
      break;
    }
  }
  return columns;
}

bool begins_its_line(std::string_view text, size_t at) {
  while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) --at;
  return at == 0 || text[at - 1] == '\n';
}

}  // namespace

size_t past_unread(std::string_view text, size_t at) {
  const auto until = [&](std::string_view end, size_t from) {
    const size_t found = text.find(end, from);
    return found == std::string_view::npos ? text.size() : found + end.size();
  };
  if (text.substr(at, 2) == "//")
    return until("\n", at) - (text.find('\n', at) == std::string_view::npos ? 0 : 1);
  if (text.substr(at, 2) == "/*") return until("*/", at + 2);
  if (text[at] == '"' || (text[at] == '\'' && (at == 0 || !is_word_character(text[at - 1])))) {
    size_t end = at + 1;
    while (end < text.size() && text[end] != text[at] && text[end] != '\n')
      end += text[end] == '\\' ? 2 : 1;
    return std::min(end + 1, text.size());
  }
  if (text[at] == '#') {
    size_t end = at;
    do {
      end = std::min(text.find('\n', end), text.size() - 1) + 1;
    } while (end < text.size() && end >= 2 && text[end - 2] == '\\');
    return end;
  }
  return at;
}

size_t unclosed_brace(std::string_view text, size_t from) {
  struct Block {
    size_t brace = 0;
    size_t begin = 0;  // of the statement that owns the brace; its head may span lines
  };
  std::vector<Block> open;
  size_t statement = from;  // start of the current statement
  bool in_statement = true;
  int parentheses = 0;
  for (size_t at = from; at < text.size();) {
    if (const size_t past = past_unread(text, at); past != at) {
      at = past;
      continue;
    }
    const char c = text[at];
    if (!in_statement && !is_white_space(c)) {
      statement = at;
      in_statement = true;
    }
    if (c == '(') ++parentheses;
    if (c == ')' && parentheses > 0) --parentheses;
    if (c == '{') open.push_back({at, statement});
    if (c == '}' && !open.empty()) {
      const bool leftwards =
          begins_its_line(text, at) && indent_of(text, at) < indent_of(text, open.back().begin);
      if (leftwards) return open.back().brace;
      open.pop_back();
    }
    if (c == '{' || c == '}') parentheses = 0;
    if (c == '{' || c == '}' || (c == ';' && parentheses == 0)) in_statement = false;
    ++at;
  }
  return open.empty() ? from : open.back().brace;
}

}  // namespace warpshop
