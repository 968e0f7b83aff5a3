// Locates parts of a kernel's text, as far as possible without a compiler.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpshop::lab {

struct TextSpan {
  size_t begin = 0;
  size_t end = 0;
};

struct SharedArray {
  std::string name;
  std::vector<std::string> extents;  // "32", "33": one or more
};

// __shared__ float as[16][16], bs[16][17];
struct SharedDeclaration {
  TextSpan span;     // from __shared__ to just after the semicolon
  std::string type;  // "float"
  std::vector<SharedArray> arrays;
};

struct KernelText {
  std::string_view text;  // the whole file; must outlive this
  size_t open = 0;        // the '(' of the parameters
  size_t close = 0;       // their ')'
  size_t body_begin = 0;  // after the '{'
  size_t body_end = 0;    // the '}'

  // Whether its threads wait for each other or exchange values.
  bool has_barrier() const;
  // Where a parameter's name is declared.
  std::optional<TextSpan> parameter(std::string_view name) const;
  // Whether its body contains name[…].
  bool indexes(std::string_view name) const;
  // Where a word occurs in its body, in order.
  std::vector<size_t> words(std::string_view wanted) const;
  // Statements that assign and index something, semicolons included; no declarations.
  std::vector<TextSpan> array_assignments() const;
  // Static shared-memory arrays; omits declarations that are not understood.
  std::vector<SharedDeclaration> shared_declarations() const;
};

// Finds the definition of a function; does not expand macros. None: not found.
std::optional<KernelText> kernel_text(std::string_view text, std::string_view function);

// The file with `bytes` more dynamic shared memory added to every {grid, block} that its functions
// return. None: no such return.
std::optional<std::string> with_dynamic_bytes(std::string_view text, std::string_view bytes);

}  // namespace warpshop::lab
