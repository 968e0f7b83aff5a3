// Tokenises a CUDA source: names, numbers, literals, preprocessor lines and punctuation, without
// comments or white space. Nothing is preprocessed: no macro expansion, no includes, no
// conditionals.
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
  kDirective,    // a whole preprocessor line, including \ continuations
  kPunctuation,  // one character, or one of :: -> << <<<; > is always a single token because it may
                 // close a template
};

struct CudaToken {
  TokenKind kind = TokenKind::kPunctuation;
  size_t at = 0;
  std::string_view text;  // a view into the source
  size_t end() const { return at + text.size(); }
  bool is(std::string_view word) const { return text == word && kind != TokenKind::kText; }
};

// Accepts any bytes; an unterminated literal or comment ends with its line or at the end of the
// source. C++17 [lex.phases], [lex.comment], [lex.ppnumber], [lex.string].
std::vector<CudaToken> cuda_tokens(std::string_view source);

// True if the sources differ in comments and white space at most.
bool same_code(std::string_view a, std::string_view b);

// The word after # in a directive token: "include", "if", …; empty for a lone #.
std::string_view directive_name(std::string_view directive);

// Blanks out comments and the contents of literals, so that offsets into the result are valid in
// the source.
std::string without_comments(std::string_view source);

}  // namespace warpshop::compile
