// Parses a kernel's parameter list in the student's text for the names and places that PTX does not
// keep.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/device_source.h"

namespace warpshop::lab {

using Parameter = compile::SourceParameter;
using Signature = compile::SourceKernel;

// The first kernel of that name in the text. Does not expand macros.
std::optional<Signature> signature_of(std::string_view source, const std::string& kernel,
                                      const std::string& file_name);

// What a type's values are, to decide whether a lab's buffer fits it; a vector counts as its
// elements.
struct TypeKind {
  bool pointer = false;
  char kind = '?';  // 'f': floating-point, 'i': integer, '?': unknown
  int bytes = 0;    // per element
  bool operator==(const TypeKind&) const = default;
};
// "float const*", "const float4 *__restrict__", "unsigned long long".
TypeKind type_kind(std::string_view type);

// The parameters' types from the kernel's mangled name in the PTX, with aliases resolved. None:
// extern "C".
std::optional<std::vector<std::string>> mangled_types(const std::string& ptx_name);

}  // namespace warpshop::lab
