// What an #include of a program's file means for the compiler of device code.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "compile/device_source.h"

namespace warpshop::compile {

struct IncludeDirective {
  std::string name;  // empty: a macro, no name at all, or none that a file can have
  bool quoted = false;
};
IncludeDirective include_of(std::string_view directive);

struct FoundHeader {
  enum class Kind : uint8_t {
    kLibrary,   // for device code
    kStandard,  // of the C++ library, from libcu++: expensive to compile, so only where std:: is used
    kProgram,   // the program's own, at `path`
    kHost,      // cannot be compiled for the GPU
    kMissing,
  };
  Kind kind = Kind::kMissing;
  std::filesystem::path path;
};
FoundHeader find_header(const IncludeDirective& include, const std::filesystem::path& folder, const HeaderPath& path);

}  // namespace warpshop::compile
