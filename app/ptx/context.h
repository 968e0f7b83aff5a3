// State shared by all parts of the parser: the position in the text, the module being built, and
// the list of problems. The grammar is parsed by recursive descent over tokens, one file per part:
//   parser.cc        top level: .version, variables, functions
//   variables.cc     declarations of variables and parameters; initialisers.cc: their values
//   functions.cc     headers and bodies; instruction_statements.cc and operands.cc: the
//                    instructions of a body; label_tables.cc: its .branchtargets and the like
//   expressions.cc   constant expressions
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "inlined_calls.h"
#include "lexer.h"
#include "ptx/module.h"
#include "scopes.h"

namespace warpshop::ptx {

// Limits against hostile text. Real modules stay far below them.
constexpr int kDeepestExpression = 64;         // parentheses, unary operators, vectors in vectors
constexpr int64_t kMostRegisters = 2'000'000;  // per module, after `%r<N>` is expanded
constexpr size_t kMostNumberedVariables = 4'096;     // per module: `.param .b32 x<N>`
constexpr uint64_t kMostInitialBytes = 64ull << 20;  // of initialisers, per module
constexpr uint64_t kLargestVariable = 1ull << 40;    // bytes
constexpr size_t kMostProblems = 100;                // kept per function, and per module
constexpr int kMostAliases = 64;

struct Context {
  Context(std::string_view source, const std::string& name, Module& target,
          Diagnostics& module_diagnostics);

  // The current token, or the one `ahead` after it.
  const Token& token(size_t ahead = 0) const;
  bool at(char mark) const { return token().is(mark); }
  bool at_end() const { return token().kind == TokenKind::kEnd; }
  void advance() {
    if (!at_end()) ++position;
  }
  bool accept(char mark);
  bool accept(std::string_view word);
  // Reports "expected …, found …" unless this mark is the current token.
  bool expect(char mark, std::string_view what_for);

  // Reports at a token; inside a function the problem belongs to that function. Always returns
  // false, so that a rule can say `return fail(…)`.
  bool fail(std::string message, std::string help = {});
  bool fail_at(const Token& where, std::string message, std::string help = {});
  void note_at(const Token& where, std::string message);

  // Skips past the next ';', or to a '}' that closes an enclosing brace.
  void skip_statement();
  // Skips an unknown directive: to the end of its line or braces, or to its ';'.
  void skip_unknown_directive();
  // Skips from a '{' past its '}'.
  void skip_braces();

  std::string_view text;
  std::string file;
  std::vector<Token> tokens;
  size_t position = 0;

  Module& module;
  Diagnostics& diagnostics;
  std::unordered_map<std::string_view, Symbol> module_names;
  std::deque<std::string> made_names;  // numbered names, `x<4>`; map keys point into it

  Function* function = nullptr;          // being parsed
  Scopes scopes;                         // names in the function
  std::vector<std::string> table_names;  // its prototypes and target tables, in order
  std::unordered_set<std::string> table_name_set;
  // Label tables (Function::branch_targets) not yet resolved, with the depth of their scope.
  struct OpenTable {
    int index = -1;
    size_t depth = 0;
    size_t token = 0;
  };
  std::vector<OpenTable> open_tables;
  SourceLine line;             // from the last .loc
  InlinedCalls inlined_calls;  // in the function
  int expression_depth = 0;
  int64_t register_count = 0;
  uint64_t initial_bytes = 0;
};

// A token as shown in a message after "found".
std::string shown(const Token& token);

// Counts one level of recursion while it exists.
class DepthGuard {
 public:
  explicit DepthGuard(Context& context) : context_(context) { ++context_.expression_depth; }
  ~DepthGuard() { --context_.expression_depth; }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;
  bool too_deep() const { return context_.expression_depth > kDeepestExpression; }

 private:
  Context& context_;
};

}  // namespace warpshop::ptx
