// Recognises the declarations of a CUDA source from its tokens.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "compile/cuda_tokens.h"

namespace warpshop::compile {

inline constexpr size_t kNoToken = static_cast<size_t>(-1);
// Scopes inside of each other that are read, as many as compilers must take (C++20, annex B): what
// is deeper is kept, for the compiler to judge.
inline constexpr int kDeepestScope = 256;

struct Declaration {
  enum class Kind : uint8_t {
    kScope,      // namespace N { … }, extern "C" { … }
    kClass,      // class, struct, union with a body
    kFunction,   // with or without a body
    kVariable,   // or a data member
    kMacroCall,  // NAME(…) in place of a declaration
    kOther,      // typedef, using, enum, static_assert, forward declaration of a class
  };
  Kind kind = Kind::kOther;
  size_t first = 0, last = 0;            // tokens of the structure; `last` is excluded
  size_t body_first = 0, body_last = 0;  // inside the braces of a scope or class
  size_t name = kNoToken;
  size_t parameters = kNoToken;   // a function's opening parenthesis
  bool is_template = false;       // a template or a specialisation of one
  bool is_instantiation = false;  // template void f<int>(int);
  bool is_friend = false;
  bool is_constant = false;  // const, constexpr
  bool is_constexpr = false;
  bool is_defaulted = false;  // = default, = delete
};

// A source's tokens without directives, and with only one branch of each conditional that would
// otherwise unbalance brackets: the first branch that is not `#if 0`.
class SourceStructure {
 public:
  explicit SourceStructure(std::string_view source);

  const std::vector<CudaToken>& all() const { return all_; }  // every token of the source
  // without directives and hidden branches
  const std::vector<CudaToken>& tokens() const { return tokens_; }

  // Parses the declaration at token `first`, which ends before `end`. `in_class`: it is a class
  // member.
  Declaration read(size_t first, size_t end, bool in_class) const;

  // True for what begins like a statement, where only declarations may stand: `for (…) …`,
  // `out[i] = x;`, `*p = x;`, `__syncthreads();`, a '}' that closes nothing.
  bool is_statement(const Declaration& declaration) const;

  // The token that closes the bracket at `open`, or the last token before `end` if it is unclosed.
  size_t closing(size_t open, size_t end) const;

  // The offset at which a declaration ends, including the conditional branches attached to its last
  // token.
  size_t end_offset(const Declaration& declaration) const;

 private:
  void leave_out_branches();
  size_t after_angles(size_t open, size_t end) const;
  size_t name_of_class(size_t class_word, size_t end) const;
  bool is_forward(size_t class_word, size_t end) const;

  std::vector<CudaToken> all_;
  std::vector<bool> hidden_;  // by token of all_
  std::vector<CudaToken> tokens_;
  std::vector<size_t> index_;    // index in all_ of each of tokens_
  std::vector<size_t> closing_;  // for each of tokens_; kNoToken: not a bracket, or never closed
};

// The name before the bracket at `open`, skipping template arguments; kNoToken if there is none.
size_t name_before(const std::vector<CudaToken>& tokens, size_t open);

}  // namespace warpshop::compile
