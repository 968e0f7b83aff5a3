#include "analysis/names.h"

#include <string_view>

#include "core/demangle.h"

namespace warpshop::emulator {

std::string readable_name(const std::string& name) {
  const std::string text = demangled(name).value_or(name);
  const size_t scope = text.rfind("::");
  return scope == std::string::npos ? text : text.substr(scope + 2);
}

std::string kernel_title(const std::string& symbol) {
  constexpr std::string_view kVoid = "void ";  // demangled templates start with their return type
  const std::string name = source_name(symbol);
  return name.starts_with(kVoid) ? name.substr(kVoid.size()) : name;
}

}  // namespace warpshop::emulator
