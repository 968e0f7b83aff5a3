#include "lexer.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "core/ascii.h"

namespace warpshop::ptx {
namespace {

constexpr std::array<bool, 256> name_characters() {
  std::array<bool, 256> table = {};
  for (int c = '0'; c <= '9'; ++c) table[static_cast<size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) table[static_cast<size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) table[static_cast<size_t>(c)] = true;
  table['_'] = true;
  table['$'] = true;
  return table;
}
constexpr std::array<bool, 256> kNameCharacters = name_characters();

class Lexer {
 public:
  Lexer(std::string_view text, const std::string& file_name, Diagnostics& diagnostics)
      : text_(text), file_name_(file_name), diagnostics_(diagnostics) {}

  std::vector<Token> run() {
    std::vector<Token> tokens;
    tokens.reserve(text_.size() / 4 + 16);
    for (;;) {
      const size_t before = at_;
      skip_blanks();
      Token token;
      token.glued = at_ == before && before != 0;
      token.line = line_;
      token.column = static_cast<int>(at_ - line_start_) + 1;
      const size_t start = at_;
      token.kind = scan(tokens.empty() ? Token{} : tokens.back(), token.glued);
      token.text = text_.substr(start, at_ - start);
      tokens.push_back(token);
      if (token.kind == TokenKind::kEnd) return tokens;
    }
  }

 private:
  char peek(size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }

  void new_line() {
    ++line_;
    line_start_ = at_;
  }

  // Skips white space, comments and preprocessor lines ('#', PTX ISA §4.1).
  void skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '\n') {
        ++at_;
        new_line();
      } else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f') {
        ++at_;
      } else if (c == '#' || (c == '/' && peek(1) == '/')) {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (c == '/' && peek(1) == '*') {
        skip_comment();
      } else {
        return;
      }
    }
  }

  void skip_comment() {
    const SourcePlace place = {file_name_, line_, static_cast<int>(at_ - line_start_) + 1, 2};
    at_ += 2;
    while (at_ < text_.size()) {
      if (text_[at_] == '*' && peek(1) == '/') {
        at_ += 2;
        return;
      }
      if (text_[at_++] == '\n') new_line();
    }
    diagnostics_.push_back(make_error_at(place, "ptx", "unterminated comment: expected */"));
  }

  void take_name() {
    while (at_ < text_.size() && is_name_character(text_[at_])) ++at_;
  }

  TokenKind scan(const Token& last, bool glued) {
    if (at_ >= text_.size()) return TokenKind::kEnd;
    const char c = text_[at_];
    if (is_digit(c)) return scan_number();
    if (c == '%') return scan_percent(last);
    if (is_name_character(c)) {
      take_name();
      return TokenKind::kName;
    }
    if (c == '.') return scan_dot(last, glued);
    if (c == '"') return scan_string();
    if (c == '\0' && text_.find_first_not_of('\0', at_) == std::string_view::npos) {
      at_ = text_.size();  // NVRTC includes the terminating NUL
      return TokenKind::kEnd;
    }
    ++at_;
    if (std::strchr("{}()[],;:@|+-*/!~&^?=<>", c) == nullptr || c == '\0') return TokenKind::kBad;
    const char next = peek();
    const bool twice = next == c && (c == '<' || c == '>' || c == '&' || c == '|' || c == '=');
    const bool with_equals = next == '=' && (c == '<' || c == '>' || c == '!');
    if (twice || with_equals) ++at_;
    return TokenKind::kMark;
  }

  // A register or label name, or the remainder operator if it is between a value and a number.
  TokenKind scan_percent(const Token& last) {
    ++at_;
    const bool after_value = last.kind == TokenKind::kNumber || last.is(')');
    if (is_name_character(peek()) && !(after_value && is_digit(peek()))) {
      take_name();
      return TokenKind::kName;
    }
    return TokenKind::kMark;
  }

  // ".global", ".shared::cta", or the decimal constant ".5", which cannot follow a name.
  TokenKind scan_dot(const Token& last, bool glued) {
    ++at_;
    const bool after_word =
        glued && (last.kind == TokenKind::kName || last.kind == TokenKind::kDirective ||
                  last.is(']') || last.is('}'));
    if (is_digit(peek()) && !after_word && looks_like_fraction()) {
      take_decimal();
      return TokenKind::kNumber;
    }
    if (!is_name_character(peek())) return TokenKind::kBad;
    take_name();
    while (peek() == ':' && peek(1) == ':' && is_name_character(peek(2))) {
      at_ += 2;
      take_name();
    }
    return TokenKind::kDirective;
  }

  // Digits, optionally with an exponent: ".5e3" but not ".2d" or ".16x256b".
  bool looks_like_fraction() const {
    size_t ahead = 0;
    while (is_digit(peek(ahead))) ++ahead;
    if (peek(ahead) == 'e' || peek(ahead) == 'E') {
      const bool sign = peek(ahead + 1) == '+' || peek(ahead + 1) == '-';
      return is_digit(peek(ahead + (sign ? 2 : 1)));
    }
    return !is_name_character(peek(ahead));
  }

  TokenKind scan_number() {
    const char second = static_cast<char>(peek(1) | 0x20);
    if (peek() == '0' && (second == 'x' || second == 'f' || second == 'd' || second == 'b')) {
      take_name();
    } else {
      take_decimal();
    }
    return TokenKind::kNumber;
  }

  void take_decimal() {
    bool point = text_[at_ == 0 ? 0 : at_ - 1] == '.';  // of ".5"
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '.' && !point && !is_letter(peek(1))) {
        point = true;
        ++at_;
      } else if ((c == 'e' || c == 'E') && (peek(1) == '+' || peek(1) == '-') &&
                 is_digit(peek(2))) {
        at_ += 2;
      } else if (is_name_character(c)) {
        ++at_;
      } else {
        return;
      }
    }
  }

  static bool is_letter(char c) {
    return is_name_character(c) && !is_digit(c) && c != 'e' && c != 'E';
  }

  TokenKind scan_string() {
    ++at_;
    while (at_ < text_.size() && text_[at_] != '\n') {
      const char c = text_[at_++];
      if (c == '"') return TokenKind::kString;
      if (c == '\\' && at_ < text_.size() && text_[at_] != '\n') ++at_;
    }
    return TokenKind::kBad;
  }

  std::string_view text_;
  const std::string& file_name_;
  Diagnostics& diagnostics_;
  size_t at_ = 0;
  size_t line_start_ = 0;
  int line_ = 1;
};

}  // namespace

std::vector<Token> tokens_from(std::string_view text, const std::string& file_name,
                               Diagnostics& diagnostics) {
  return Lexer(text, file_name, diagnostics).run();
}

bool is_name_character(char c) { return kNameCharacters[static_cast<unsigned char>(c)]; }

}  // namespace warpshop::ptx
