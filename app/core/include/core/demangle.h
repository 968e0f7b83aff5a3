// C++ names from PTX symbols. Itanium C++ ABI, "Mangling":
// https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
#pragma once

#include <optional>
#include <string>

namespace warpshop {

// Demangles a symbol: "scale(float const*, int)" for "_Z5scalePKfi". Returns nothing if the symbol
// is not a mangled name, or if the result could be huge: each substitution can double the text
// before it, so a 250-character name can expand to gigabytes, and the name may come from someone we
// do not trust.
std::optional<std::string> demangled(const std::string& symbol);

// The declaration without its parameters: "scale", "lab::scale", "void scale<3>". For a mangled
// symbol that cannot be demangled, the name that it starts with; plain names are returned
// unchanged.
std::string source_name(const std::string& symbol);

}  // namespace warpshop
