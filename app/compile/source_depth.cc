#include "source_depth.h"

#include <algorithm>
#include <initializer_list>
#include <utility>
#include <vector>

#include "compile/cuda_tokens.h"
#include "core/lines.h"

namespace warpshop::compile {
namespace {

// Measured with NVRTC 13.0: some ten thousand nested brackets overflow the stack of the thread that
// calls it, 100,000 nested conditions or operators in one expression end it for want of memory.
constexpr int kDeepestBrackets = 1000;
constexpr int kMostNested = 1000;   // conditions and loops without brackets
constexpr int kMostTokens = 10000;  // in one expression, without what its brackets enclose

// What has been seen in one pair of brackets, or outside all of them.
struct Level {
  char bracket = '{';
  int tokens = 0;      // since the expression began
  int conditions = 0;  // ?: since the expression began
  int nested = 0;      // if, else, for, … since the statement began
  int commas = 0;      // since the statement began
};

bool is_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), text) != words.end();
}

// Whether the token after a } shows that an expression goes on: T{} + T{}.
bool goes_on(const CudaToken* next) {
  return next != nullptr && next->kind == TokenKind::kPunctuation &&
         !is_one_of(next->text, {"{", "}", ";"});
}

void end_statement(Level& level, const CudaToken* next) {
  level.tokens = level.conditions = level.commas = 0;
  if (next == nullptr || !next->is("else")) level.nested = 0;
}

}  // namespace

std::optional<Diagnostic> too_deep(std::string_view source, const std::string& file_name) {
  std::vector<CudaToken> tokens = cuda_tokens(source);
  std::erase_if(tokens, [](const CudaToken& token) { return token.kind == TokenKind::kDirective; });
  std::vector<Level> levels(1);
  for (size_t n = 0; n < tokens.size(); ++n) {
    const CudaToken& token = tokens[n];
    const CudaToken* next = n + 1 < tokens.size() ? &tokens[n + 1] : nullptr;
    const auto refused = [&](Sentence what, Sentence help) {
      return make_error_at(place_in_text(source, token.at, token.text.size(), file_name), "compile",
                           std::move(what), std::move(help));
    };
    const auto too_long = [&] {
      return refused(
          sentence("an expression has more than {most} words and signs", {{"most", kMostTokens}}),
          sentence("split it into several statements"));
    };
    const bool sign = token.kind == TokenKind::kPunctuation;
    if (sign && is_one_of(token.text, {")", "]", "}"})) {
      if (levels.size() > 1) levels.pop_back();
      if (token.text == "}" && !goes_on(next)) end_statement(levels.back(), next);
      continue;
    }
    Level& level = levels.back();
    if (sign && token.text == ";" && level.bracket == '{') {
      // Lists in braces, which have no ;, may be as long as they like.
      if (level.commas > kMostTokens) return too_long();
      end_statement(level, next);
      continue;
    }
    if (sign && token.text == "," && level.bracket == '{') {
      level.tokens = level.conditions = 0;
      ++level.commas;
      continue;
    }
    if (++level.tokens > kMostTokens) return too_long();
    level.conditions += sign && token.text == "?" ? 1 : 0;
    if (token.kind == TokenKind::kName) {
      const bool else_if = token.text == "else" && next != nullptr && next->is("if");
      const bool nests = is_one_of(token.text, {"if", "else", "for", "while", "do", "switch"});
      level.nested += nests && !else_if ? 1 : 0;
    }
    if (std::max(level.conditions, level.nested) > kMostNested) {
      return refused(sentence("more than {most} conditions or loops are nested in one statement",
                              {{"most", kMostNested}}),
                     sentence("compilers promise 256 levels"));
    }
    if (sign && is_one_of(token.text, {"(", "[", "{"})) {
      levels.push_back({.bracket = token.text.front()});
      if (levels.size() > kDeepestBrackets + 1) {
        return refused(
            sentence("brackets are nested more than {most} deep", {{"most", kDeepestBrackets}}),
            sentence("compilers promise 256 levels"));
      }
    }
  }
  return std::nullopt;
}

}  // namespace warpshop::compile
