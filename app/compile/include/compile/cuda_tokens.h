// A CUDA source as tokens: names, numbers, texts, preprocessor lines and punctuation, without comments and blanks.
// The text stays as it is written: macros are not expanded, nothing is included, no conditional is decided.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.h"

namespace warpshop::compile {

enum class TokenKind : uint8_t {
  kName,         // identifiers and keywords
  kNumber,       // a preprocessing number: 1'000u, 0x1p-3f
  kText,         // "…", '…', R"x(…)x" with its prefix
  kDirective,    // a whole preprocessor line, with the lines that \ continues
  kPunctuation,  // one character, or one of :: -> << <<<; a > always stands alone, as it may close a template
};

struct CudaToken {
  TokenKind kind = TokenKind::kPunctuation;
  size_t at = 0;
  std::string_view text;  // of the source
  size_t end() const { return at + text.size(); }
  bool is(std::string_view word) const { return text == word && kind != TokenKind::kText; }
};

// Any bytes are accepted; a text or comment that is not closed ends with its line or with the source. C++17
// [lex.phases], [lex.comment], [lex.ppnumber], [lex.string].
std::vector<CudaToken> cuda_tokens(std::string_view source);

// The word after # of a directive's token: "include", "if", …; empty for a lone #.
std::string_view directive_name(std::string_view directive);

// The text with comments blank and with every quoted text's inside blank, so that what is found stands at its place.
std::string without_comments(std::string_view source);

// The place of `length` bytes at an offset.
SourcePlace place_in_text(std::string_view source, size_t at, size_t length, const std::string& file_name);

}  // namespace warpshop::compile
