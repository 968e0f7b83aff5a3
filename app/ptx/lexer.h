// Splits PTX text into tokens. PTX ISA §4.1–4.5.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "core/diagnostic.h"

namespace warpshop::ptx {

enum class TokenKind : uint8_t {
  kName,       // ld  %r1  $L__BB0_1  _
  kDirective,  // .global  .shared::cta  .v4: the dot and all words joined by "::"
  kNumber,     // 12  0x1F  0f3F800000  1.5e-3  7U
  kString,     // including the quotes
  kMark,       // one or two characters of punctuation or an operator
  kBad,        // a byte that starts no token, or an unterminated string
  kEnd,
};

struct Token {
  TokenKind kind = TokenKind::kEnd;
  bool glued = false;  // directly follows the previous token
  int line = 0;        // from 1
  int column = 0;      // bytes, from 1
  std::string_view text;

  bool is(char mark) const {
    return kind == TokenKind::kMark && text.size() == 1 && text[0] == mark;
  }
  bool is(std::string_view word) const { return text == word && kind != TokenKind::kString; }
};

// Returns every token, ending with kEnd. An unterminated comment is reported in `diagnostics`. The
// tokens are views into `text`.
std::vector<Token> tokens_from(std::string_view text, const std::string& file_name,
                               Diagnostics& diagnostics);

// Letters, digits, '_' and '$': the characters of an identifier after the first. PTX ISA §4.4.
bool is_name_character(char c);

}  // namespace warpshop::ptx
