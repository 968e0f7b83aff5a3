// Names of C++ out of the symbols of PTX. Itanium C++ ABI, "Mangling":
// https://itanium-cxx-abi.github.io/cxx-abi/abi.html#mangling
#pragma once

#include <optional>
#include <string>

namespace warpshop {

// The declaration behind a symbol: "scale(float const*, int)" for "_Z5scalePKfi". Nothing where the symbol is no mangled
// name, or where its text might be long: a reference in it may double what stands before, so a name of 250 characters
// can mean gigabytes, and somebody else may have chosen it.
std::optional<std::string> demangled(const std::string& symbol);

// The declaration without its parameters: "scale", "lab::scale", "void scale<3>". Of a symbol that is not demangled the
// name that it begins with; a plain name stays.
std::string source_name(const std::string& symbol);

}  // namespace warpshop
