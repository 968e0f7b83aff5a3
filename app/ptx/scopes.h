// Names inside a function, block by block: `{ }` opens a scope, and an inner name hides an outer
// one. PTX ISA §4.3 and §5.4 "Variables".
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ptx/module.h"

namespace warpshop::ptx {

// What one name refers to.
struct Meaning {
  enum class Kind : uint8_t { kRegister, kVariable, kLabel, kTable };
  Kind kind = Kind::kRegister;
  int index = -1;  // of the first register, the label, the target table or the prototype
  int width = 1;   // a vector register is this many consecutive registers
  Symbol symbol;   // kVariable
};

class Scopes {
 public:
  static constexpr size_t kDeepest = 200;  // nested braces; a limit against hostile text

  bool open();  // false if braces are nested too deeply
  void close();
  size_t depth() const { return scopes_.size(); }

  // False if the innermost scope already has the name.
  bool declare(std::string_view name, Meaning meaning);
  // Declares `prefix<count>`: prefix0 … prefix(count-1), consecutive registers from meaning.index.
  bool declare_range(std::string_view prefix, int count, Meaning meaning);

  std::optional<Meaning> find(std::string_view name) const;
  std::optional<Meaning> find_innermost(std::string_view name) const;

  // An instruction that uses a name not declared yet, usually a label further down.
  struct Unresolved {
    int instruction = -1;  // index into Function::body
    size_t token = 0;      // of its opcode
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
