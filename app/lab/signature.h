// The kernel's parameter list as it stands in the student's text: the names and places that PTX does not keep.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/device_source.h"

namespace warpshop::lab {

using Parameter = compile::SourceParameter;
using Signature = compile::SourceKernel;

// The first kernel of that name in the text. Macros are not expanded.
std::optional<Signature> signature_of(std::string_view source, const std::string& kernel, const std::string& file_name);

// What a type's values are, in as far as a buffer of the lab can be taken for it; a vector counts as its elements.
struct TypeKind {
  bool pointer = false;
  char kind = '?';     // 'f': floating, 'i': integer, '?': another, which may be anything
  int bytes = 0;       // of an element
  bool operator==(const TypeKind&) const = default;
};
// "float const*", "const float4 *__restrict__", "unsigned long long".
TypeKind type_kind(std::string_view type);

// The parameters' types from the kernel's name in the PTX, with aliases resolved. None: an extern "C" name has no types.
std::optional<std::vector<std::string>> mangled_types(const std::string& ptx_name);

}  // namespace warpshop::lab
