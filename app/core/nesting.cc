#include "core/nesting.h"

#include <algorithm>

#include "core/lines.h"

namespace warpshop {
namespace {

// The end of the quoted text that starts at `at`. TOML v1.0.0 also has triple quotes, which may
// span lines, and '…' without escapes: https://toml.io/en/v1.0.0#string. JSON strings are the same
// as TOML's "…".
size_t end_of_quoted(std::string_view text, size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool long_form = text.substr(at).starts_with(three);
  const std::string_view closing =
      long_form ? std::string_view(three) : std::string_view(three).substr(0, 1);
  size_t n = at + closing.size();
  while (n < text.size() && !text.substr(n).starts_with(closing)) {
    if (!long_form && text[n] == '\n') return n;  // a mistake that the parser will report
    n += text[n] == '\\' && quote == '"' ? 2 : 1;
  }
  return std::min(n + closing.size(), text.size());
}

}  // namespace

bool json_nests_too_deep(std::string_view text) {
  int depth = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '"') {
      for (++at; at < text.size() && text[at] != '"'; ++at) {
        if (text[at] == '\\') ++at;
      }
    } else if (c == '[' || c == '{') {
      if (++depth > kDeepestNesting) return true;
    } else if (c == ']' || c == '}') {
      --depth;
    }
  }
  return false;
}

std::optional<Diagnostic> toml_nests_too_deep(std::string_view text, const std::string& file,
                                              DiagnosticKind kind) {
  int brackets = 0;
  int dots = 0;
  for (size_t at = 0; at < text.size(); ++at) {
    switch (text[at]) {
      case '#':
        at = std::min(text.find('\n', at), text.size()) - 1;
        break;
      case '"':
      case '\'':
        at = end_of_quoted(text, at) - 1;
        break;
      case '[':
      case '{':
        ++brackets;
        dots = 0;
        break;
      case ']':
      case '}':
        --brackets;
        dots = 0;
        break;
      case '.':
        ++dots;
        break;
      case '=':
      case ',':
      case '\n':
        dots = 0;
        break;
      default:
        break;
    }
    if (brackets > kDeepestNesting || dots > kDeepestNesting) {
      return make_error_at(
          place_in_text(text, at, 0, file), kind,
          sentence("brackets or dotted keys are nested more than {depth} levels deep",
                   {{"depth", kDeepestNesting}}));
    }
  }
  return std::nullopt;
}

}  // namespace warpshop
