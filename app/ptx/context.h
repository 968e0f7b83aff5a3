// What every part of the parser shares: the place in the text, the module that grows, and where
// problems go. The grammar is recursive descent over tokens; each part is a file:
//   parser.cc        top of the text: .version, variables, functions
//   variables.cc     declarations of variables and parameters; initialisers.cc their values
//   functions.cc     heads and bodies; statements.cc and operands.cc the instructions in a body
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

#include "lexer.h"
#include "ptx/module.h"
#include "scopes.h"

namespace warpshop::ptx {

// Bounds for hostile text. Real modules stay far below them.
constexpr int kDeepestExpression = 64;         // parentheses, unary operators, vectors in vectors
constexpr int64_t kMostRegisters = 2'000'000;  // of a module, after `%r<N>` is spelled out
constexpr size_t kMostNumberedVariables = 4'096;     // of a module: `.param .b32 x<N>`
constexpr uint64_t kMostInitialBytes = 64ull << 20;  // of a module's initialisers
constexpr uint64_t kLargestVariable = 1ull << 40;    // bytes
constexpr size_t kMostProblems = 100;                // kept of one function, and of a module
constexpr int kMostAliases = 64;

struct Context {
  Context(std::string_view source, const std::string& name, Module& target,
          Diagnostics& module_diagnostics);

  // The token at hand, and the ones behind it.
  const Token& token(size_t ahead = 0) const;
  bool at(char mark) const { return token().is(mark); }
  bool at_end() const { return token().kind == TokenKind::kEnd; }
  void advance() {
    if (!at_end()) ++position;
  }
  bool accept(char mark);
  bool accept(std::string_view word);
  // Reports "expected …, found …" unless the mark stands here.
  bool expect(char mark, std::string_view what_for);

  // Reports at a token; inside a function it is that function's problem. Always false, so that a
  // rule can say `return fail(…)`.
  bool fail(std::string message, std::string help = {});
  bool fail_at(const Token& where, std::string message, std::string help = {});
  void note_at(const Token& where, std::string message);

  // To behind the next ';', or to a '}' that closes what was open here.
  void skip_statement();
  // A directive that we do not know: to the end of its line, of its braces, or its ';'.
  void skip_unknown_directive();
  // From a '{' to behind its '}'.
  void skip_braces();

  std::string_view text;
  std::string file;
  std::vector<Token> tokens;
  size_t position = 0;

  Module& module;
  Diagnostics& diagnostics;
  std::unordered_map<std::string_view, Symbol> module_names;
  std::deque<std::string> made_names;  // numbered names, `x<4>`: keys of the maps point into it

  Function* function = nullptr;          // the one being read
  Scopes scopes;                         // its names
  std::vector<std::string> table_names;  // its prototypes and target tables, in order
  std::unordered_set<std::string> table_name_set;
  // Tables of labels (Function::branch_targets) still to be resolved, with the depth of their
  // scope.
  struct OpenTable {
    int index = -1;
    size_t depth = 0;
    size_t token = 0;
  };
  std::vector<OpenTable> open_tables;
  SourceLine line;  // from the last .loc
  // Where each inlined place of this function was called from: (file, line, column) → outermost
  // call.
  std::map<std::array<int, 3>, std::array<int, 3>> inlined_calls;
  int expression_depth = 0;
  int64_t register_count = 0;
  uint64_t initial_bytes = 0;
};

// "found": a token as a message shows it.
std::string shown(const Token& token);

// Counts a level of recursion while it lives.
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
