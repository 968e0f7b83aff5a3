// A program's host code as tokens: the declaration that a name refers to at a place, and the number
// that it certainly holds there. Anything that depends on input, on a call, or on a variable that
// may have changed is uncertain.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compile/cuda_tokens.h"
#include "core/lines.h"
#include "lab/value_type.h"
#include "own_kernel/host_number.h"

namespace warpshop::lab {

// A variable in the memory of the GPU, as it is declared, or a member of a struct.
struct UnsetVariable {
  std::string declaration;  // "__constant__ float w[5]"
  std::string name;
  size_t end = 0;                      // the offset in the file at which an initialiser belongs
  std::optional<ValueType> type;       // none: not a number, or a vector of numbers
  std::vector<UnsetVariable> members;  // of a struct that consists of numbers
  int64_t count = 0;                   // elements of an array; 1: not an array, 0: unknown
  bool is_array = false;
  std::string value;  // the initialiser that the first cudaMemcpyToSymbol states: "{0.6, 0.1}"
  int line = 0;       // of that copy; 0: not stated
};

// Places are indices of tokens, or kNothing.
class HostSource {
 public:
  static constexpr size_t kNothing = static_cast<size_t>(-1);
  struct Range {
    size_t first = 0, last = 0;  // tokens
  };
  struct Declaration {
    size_t name = kNothing;  // its token
    Range value;             // of its initialiser: after =, or between ( and ) or { and }
    std::string_view type;   // "dim3"
    bool number = false;     // of a numeric type
    bool whole = false;      // of an integer type: a floating value is cut
    bool constant = false;
    bool bracketed = false;
    int dimensions = 0;                // of an array
    std::optional<ValueType> element;  // its type, if it is of numbers
  };
  struct Declarator {
    UnsetVariable variable;
    int dimensions = 0;
    bool plain = false;  // without an initialiser
  };

  explicit HostSource(std::string_view source)
      : source_(source), tokens_(compile::cuda_tokens(source)) {}

  size_t size() const { return tokens_.size(); }
  const compile::CudaToken& token(size_t at) const { return tokens_[at]; }
  bool is(size_t at, std::string_view word) const {
    return at < tokens_.size() && tokens_[at].is(word);
  }
  bool is_word(size_t at) const {
    return at < tokens_.size() && tokens_[at].kind == compile::TokenKind::kName;
  }
  int line_of(size_t at) const { return place_in_text(source_, tokens_[at].at, 1, {}).line; }
  std::string_view text_of(Range range) const {
    if (range.first >= range.last) return {};
    const size_t at = tokens_[range.first].at;
    return source_.substr(at, tokens_[range.last - 1].end() - at);
  }
  std::span<const compile::CudaToken> tokens_in(Range range) const {
    return std::span(tokens_).subspan(range.first, range.last - range.first);
  }

  bool opens(size_t at) const { return is(at, "(") || is(at, "[") || is(at, "{"); }
  bool closes(size_t at) const { return is(at, ")") || is(at, "]") || is(at, "}"); }
  // The bracket that closes the one at `open`, or the end of the file.
  size_t matching(size_t open) const;
  // The token after this one, or after what this one brackets.
  size_t past(size_t at) const;
  size_t past_square(size_t at) const { return is(at, "[") ? past(at) : at + 1; }
  // The parts that commas separate.
  std::vector<Range> parts(size_t first, size_t last) const;
  bool ends_macro(size_t at) const;
  size_t statement_start(size_t at) const;

  // The value of an expression. None: uncertain.
  std::optional<HostNumber> number(Range range) const;
  // Searches backwards from a token through the enclosing scopes.
  std::optional<Declaration> declaration(std::string_view name, size_t from) const;
  // True if a variable still has its initial value at the token `from`. A global may change
  // anywhere. Changes by command-line arguments do not count: without arguments, the program runs
  // with the initial value.
  bool stays(const Declaration& declared, size_t from) const;
  // True if the statement changes the variable named at a token.
  bool changes(size_t at) const;
  // "__constant__ float w[5], scale".
  std::vector<Declarator> declarators(Range range, int structs = 3) const;

 private:
  // Appends the words of `text`, replacing each name that stands for arithmetic over other names.
  // Names are those visible at the token `from`. False: part of it is not a certain number.
  bool expand(std::span<const compile::CudaToken> text, size_t from, HostNumber& out,
              int depth) const;
  // The value of "sizeof(P)" or "sizeof(struct P)" at `at`, if the file defines P with members that
  // are numbers; else 0.
  int64_t size_of_struct(std::span<const compile::CudaToken> text, size_t at, size_t from) const;
  bool expand_name(const std::string& name, size_t from, HostNumber& out, int depth) const;
  // The directive that defines a macro, unless there are several.
  size_t only_macro(std::string_view name) const;
  size_t opening(size_t close) const;
  bool declares(size_t open, size_t close, std::string_view name) const;
  std::optional<Declaration> declaration_at(size_t name) const;
  // The members of a struct that is defined before the token `before`, if all of them are numbers,
  // arrays of them, or such structs, `structs` deep. Else empty.
  std::vector<UnsetVariable> members_of(std::string_view type, size_t before, int structs) const;

  std::string_view source_;
  std::vector<compile::CudaToken> tokens_;
};

}  // namespace warpshop::lab
