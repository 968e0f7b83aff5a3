#include "analysis/names.h"

#include "core/demangle.h"

namespace warpshop::emulator {

std::string readable_name(const std::string& name) {
  const std::string text = demangled(name).value_or(name);
  const size_t scope = text.rfind("::");
  return scope == std::string::npos ? text : text.substr(scope + 2);
}

}  // namespace warpshop::emulator
