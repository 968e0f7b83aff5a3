// What the names inside a function mean, block by block: `{ }` opens a scope, an inner name hides
// an outer one. PTX ISA §4.3 and §5.4 "Variables".
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace warpshop::ptx {

// What one name stands for.
struct Meaning {
  enum class Kind : uint8_t { kRegister, kVariable, kLabel, kTable };
  Kind kind = Kind::kRegister;
  int index = -1;  // of the first register, of the label, of the target table or prototype
  int width = 1;   // a vector register is this many registers in a row
  Symbol symbol;   // kVariable
};

class Scopes {
 public:
  static constexpr size_t kDeepest = 200;  // nested braces; a bound for hostile text

  bool open();  // false when the braces are too deep
  void close();
  size_t depth() const { return scopes_.size(); }

  // False when the innermost scope has the name already.
  bool declare(std::string_view name, Meaning meaning);
  // `prefix<count>`: prefix0 … prefix(count-1), registers in a row from meaning.index.
  bool declare_range(std::string_view prefix, int count, Meaning meaning);

  std::optional<Meaning> find(std::string_view name) const;
  std::optional<Meaning> find_innermost(std::string_view name) const;

  // An instruction that names something not declared yet: a label further down, most often.
  struct Unresolved {
    int instruction = -1;  // in Function::body
    size_t token = 0;      // its opcode
  };
  void remember(Unresolved unresolved) { scopes_.back().unresolved.push_back(unresolved); }
  std::vector<Unresolved> take_unresolved();

 private:
  struct Range {
    int count = 0;
    Meaning meaning;
  };
  struct Scope {
    std::unordered_map<std::string_view, Meaning> names;
    std::unordered_map<std::string_view, Range> ranges;
    std::vector<Unresolved> unresolved;
  };
  static std::optional<Meaning> find_in(const Scope& scope, std::string_view name);

  std::vector<Scope> scopes_;
};

}  // namespace warpshop::ptx
