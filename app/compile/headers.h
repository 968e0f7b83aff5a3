// Classifies the #include directives of a program's file for the device compiler.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "compile/device_source.h"

namespace warpshop::compile {

struct IncludeDirective {
  std::string name;  // empty: a macro, no name at all, or one that no file can have
  bool quoted = false;
};
IncludeDirective include_of(std::string_view directive);

struct FoundHeader {
  enum class Kind : uint8_t {
    kLibrary,   // a device library
    kStandard,  // C++ standard library, from libcu++: expensive to compile, so included only if
                // std:: is used
    kProgram,   // the program's own, at `path`
    kHost,      // cannot be compiled for the GPU
    kMissing,
  };
  Kind kind = Kind::kMissing;
  std::filesystem::path path;
};
FoundHeader find_header(const IncludeDirective& include, const std::filesystem::path& folder,
                        const HeaderPath& path);

// The header of a name of std that programs may use without an include, since nvcc's own headers
// bring it with them: "algorithm" for max. Empty if there is none.
std::string_view standard_header_of(std::string_view name);

}  // namespace warpshop::compile
