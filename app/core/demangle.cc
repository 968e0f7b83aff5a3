#include "core/demangle.h"

#include <cxxabi.h>

#include <cctype>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "core/ascii.h"

namespace warpshop {
namespace {

constexpr size_t kLongestSymbol = 1024;
// Limit on length × 2^references. Each character expands to a few dozen at most.
constexpr size_t kLargest = size_t{1} << 20;

// Counts substitutions that can double the result: S_, S0_, SA_, T_, T1_, … In a plain list of
// pointers each one repeats a single type. Only compound constructs can repeat a part that itself
// contains substitutions: template arguments (I), packs (J), function (F), member (M) and array (A)
// types, expressions (D, X), nested (N) and local names (Z). The same letters inside an identifier
// are counted too, so a few harmless symbols stay mangled.
size_t doubling_references(std::string_view symbol) {
  const size_t nests = symbol.find_first_of("ADFIJMNXZ", 2);
  if (nests == std::string_view::npos) return 0;
  size_t count = 0;
  for (size_t at = nests; at < symbol.size(); ++at) {
    if (symbol[at] != 'S' && symbol[at] != 'T') continue;
    size_t end = at + 1;
    while (end < symbol.size() &&
           (is_digit(symbol[end]) || std::isupper(static_cast<unsigned char>(symbol[end])) != 0))
      ++end;
    if (end < symbol.size() && symbol[end] == '_') ++count;
  }
  return count;
}

bool may_be_long(std::string_view symbol) {
  const size_t references = doubling_references(symbol);
  return symbol.size() > kLongestSymbol || references > 20 ||
         symbol.size() << references > kLargest;
}

// "scale" for "_Z5scale…", "lab::scale" for "_ZN3lab5scale…"; other symbols are returned unchanged.
std::string leading_name(std::string_view symbol) {
  std::string_view rest = symbol;
  if (!rest.starts_with("_Z")) return std::string(symbol);
  rest.remove_prefix(2);
  const bool nested = rest.starts_with('N');
  if (nested) rest.remove_prefix(1);
  std::string name;
  while (!rest.empty() && is_digit(rest[0])) {
    size_t length = 0;
    while (!rest.empty() && is_digit(rest[0]) && length <= symbol.size()) {
      length = 10 * length + static_cast<size_t>(rest[0] - '0');
      rest.remove_prefix(1);
    }
    if (length == 0 || length > rest.size()) break;
    name += (name.empty() ? "" : "::") + std::string(rest.substr(0, length));
    rest.remove_prefix(length);
    if (!nested) break;
  }
  return name.empty() ? std::string(symbol) : name;
}

}  // namespace

std::optional<std::string> demangled(const std::string& symbol) {
  if (!symbol.starts_with("_Z") || may_be_long(symbol)) return std::nullopt;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !text) return std::nullopt;
  return std::string(text.get());
}

std::string source_name(const std::string& symbol) {
  const std::optional<std::string> text = demangled(symbol);
  return text ? text->substr(0, text->find('(')) : leading_name(symbol);
}

}  // namespace warpshop
