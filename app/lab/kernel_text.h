// Where things stand in a kernel's text, as far as that can be read without a compiler.
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
  TextSpan span;     // from __shared__ to behind the semicolon
  std::string type;  // "float"
  std::vector<SharedArray> arrays;
};

struct KernelText {
  std::string_view text;     // the whole file; must outlive this
  size_t open = 0;           // the '(' of the parameters
  size_t close = 0;          // their ')'
  size_t body_begin = 0;     // behind the '{'
  size_t body_end = 0;       // the '}'

  // Do its threads wait for each other, or exchange values?
  bool has_barrier() const;
  // The name of a parameter, where it is declared.
  std::optional<TextSpan> parameter(std::string_view name) const;
  // Does its body have name[…]?
  bool indexes(std::string_view name) const;
  // Statements that assign something and have an index, semicolons included; no declarations.
  std::vector<TextSpan> array_assignments() const;
  // Arrays of static shared memory; those that are not understood are left out.
  std::vector<SharedDeclaration> shared_declarations() const;
};

// The definition of a function; macros are not expanded. None: it is not found.
std::optional<KernelText> kernel_text(std::string_view text, std::string_view function);

// The file with so many bytes more of dynamic shared memory in what its functions return as {grid, block}. None: there is
// no such return.
std::optional<std::string> with_dynamic_bytes(std::string_view text, std::string_view bytes);

}  // namespace warpshop::lab
