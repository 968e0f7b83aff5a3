#include "compile/cuda_tokens.h"

#include <algorithm>

#include "core/ascii.h"

namespace warpshop::compile {
namespace {

bool is_name_start(char c) {
  return is_letter(c) || c == '_' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}
bool is_name_char(char c) { return is_name_start(c) || is_digit(c); }
bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\v' || c == '\f';
}

class Lexer {
 public:
  explicit Lexer(std::string_view source) : source_(source) {}

  std::vector<CudaToken> run() {
    while (at_ < source_.size()) {
      const char c = source_[at_];
      if (c == '\n') line_start_ = true;
      if (is_blank(c)) {
        ++at_;
      } else if (const size_t splice = splice_at(at_); splice > 0) {
        at_ += splice;
      } else if (source_.substr(at_, 2) == "//") {
        at_ = end_of_line(at_);
      } else if (source_.substr(at_, 2) == "/*") {
        at_ = end_of_block_comment(at_);
      } else {
        add(token_end());
      }
    }
    return std::move(tokens_);
  }

 private:
  // Returns the end of the token at at_ and sets kind_.
  size_t token_end() {
    const char c = source_[at_];
    if (c == '#' && line_start_) {
      kind_ = TokenKind::kDirective;
      return end_of_directive();
    }
    if (is_name_start(c)) {
      size_t end = at_;
      while (end < source_.size() && is_name_char(source_[end])) ++end;
      if (end < source_.size() && (source_[end] == '"' || source_[end] == '\'') &&
          is_text_prefix(source_.substr(at_, end - at_))) {
        kind_ = TokenKind::kText;
        return source_[end] == '"' && source_[end - 1] == 'R' ? end_of_raw_text(end)
                                                              : end_of_text(end);
      }
      kind_ = TokenKind::kName;
      return end;
    }
    if (is_digit(c) || (c == '.' && at_ + 1 < source_.size() && is_digit(source_[at_ + 1]))) {
      kind_ = TokenKind::kNumber;
      return end_of_number();
    }
    if (c == '"' || c == '\'') {
      kind_ = TokenKind::kText;
      return end_of_text(at_);
    }
    kind_ = TokenKind::kPunctuation;
    for (const std::string_view sign : {"<<<", "<<", "::", "->"}) {
      if (source_.substr(at_, sign.size()) == sign) return at_ + sign.size();
    }
    return at_ + 1;
  }

  static bool is_text_prefix(std::string_view word) {
    for (const std::string_view prefix : {"R", "L", "u", "U", "u8", "LR", "uR", "UR", "u8R"}) {
      if (word == prefix) return true;
    }
    return false;
  }

  void add(size_t end) {
    tokens_.push_back({kind_, at_, source_.substr(at_, end - at_)});
    at_ = end;
    line_start_ = false;
  }

  // The length of a line continuation (backslash and line end) at `at`; 0 if there is none.
  size_t splice_at(size_t at) const {
    if (source_[at] != '\\') return 0;
    if (source_.substr(at + 1, 1) == "\n") return 2;
    return source_.substr(at + 1, 2) == "\r\n" ? 3 : 0;
  }

  size_t end_of_line(size_t at) const {
    while (at < source_.size() && source_[at] != '\n') at += std::max<size_t>(1, splice_at(at));
    return std::min(at, source_.size());
  }

  size_t end_of_block_comment(size_t at) const {
    const size_t close = source_.find("*/", at + 2);
    return close == std::string_view::npos ? source_.size() : close + 2;
  }

  // A comment inside a directive belongs to it, so one that spans lines does not end the directive.
  size_t end_of_directive() const {
    size_t at = at_;
    while (at < source_.size() && source_[at] != '\n') {
      if (const size_t splice = splice_at(at); splice > 0) {
        at += splice;
      } else if (source_.substr(at, 2) == "//") {
        return end_of_line(at);
      } else if (source_.substr(at, 2) == "/*") {
        at = end_of_block_comment(at);
      } else if (source_[at] == '"') {
        at = end_of_text(at);
      } else {
        ++at;
      }
    }
    return std::min(at, source_.size());
  }

  size_t end_of_text(size_t open) const {
    size_t at = open + 1;
    while (at < source_.size() && source_[at] != source_[open]) {
      if (source_[at] == '\n') return at;
      at += source_[at] == '\\' ? std::max<size_t>(2, splice_at(at)) : 1;
    }
    return std::min(at + 1, source_.size());
  }

  size_t end_of_raw_text(size_t quote) const {
    constexpr size_t kLongestDelimiter = 16;
    const size_t open = source_.find('(', quote + 1);
    if (open == std::string_view::npos || open - quote - 1 > kLongestDelimiter)
      return end_of_text(quote);
    const std::string close = ")" + std::string(source_.substr(quote + 1, open - quote - 1)) + "\"";
    const size_t found = source_.find(close, open + 1);
    return found == std::string_view::npos ? source_.size() : found + close.size();
  }

  size_t end_of_number() const {
    size_t at = at_;
    while (at < source_.size()) {
      const char c = source_[at];
      const bool sign = (c == '+' || c == '-') && at > at_ &&
                        std::string_view("eEpP").find(source_[at - 1]) != std::string_view::npos;
      const bool separator = c == '\'' && at + 1 < source_.size() && is_name_char(source_[at + 1]);
      if (!is_name_char(c) && c != '.' && !sign && !separator) break;
      ++at;
    }
    return at;
  }

  std::string_view source_;
  size_t at_ = 0;
  bool line_start_ = true;
  TokenKind kind_ = TokenKind::kPunctuation;
  std::vector<CudaToken> tokens_;
};

}  // namespace

std::vector<CudaToken> cuda_tokens(std::string_view source) { return Lexer(source).run(); }

bool same_code(std::string_view a, std::string_view b) {
  const std::vector<CudaToken> x = cuda_tokens(a), y = cuda_tokens(b);
  return std::equal(x.begin(), x.end(), y.begin(), y.end(),
                    [](const CudaToken& p, const CudaToken& q) { return p.text == q.text; });
}

std::string_view directive_name(std::string_view directive) {
  size_t at = 1;
  while (at < directive.size() && (directive[at] == ' ' || directive[at] == '\t')) ++at;
  size_t end = at;
  while (end < directive.size() && is_name_char(directive[end])) ++end;
  return directive.substr(std::min(at, directive.size()), end - at);
}

std::string without_comments(std::string_view source) {
  std::string out(source.size(), ' ');
  for (size_t at = source.find('\n'); at != std::string_view::npos; at = source.find('\n', at + 1))
    out[at] = '\n';
  const auto keep = [&out](size_t at, std::string_view text) {
    std::copy(text.begin(), text.end(), out.begin() + static_cast<ptrdiff_t>(at));
  };
  for (const CudaToken& token : cuda_tokens(source)) {
    if (token.kind == TokenKind::kDirective) {
      keep(token.at, "#" + without_comments(token.text.substr(1)));
    } else if (token.kind == TokenKind::kText) {
      keep(token.at, token.text.substr(0, 1));
      keep(token.end() - 1, token.text.substr(token.text.size() - 1));
    } else {
      keep(token.at, token.text);
    }
  }
  return out;
}

}  // namespace warpshop::compile
