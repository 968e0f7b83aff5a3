#include "run/signature.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/ascii.h"
#include "core/demangle.h"

namespace warpshop::lab {
namespace {

// Splits a type into words and stars.
std::vector<std::string> words_of(std::string_view type) {
  std::vector<std::string> words;
  for (size_t at = 0; at < type.size();) {
    size_t end = at;
    while (end < type.size() && is_word_character(type[end])) ++end;
    if (end > at) {
      words.emplace_back(type.substr(at, end - at));
      at = end;
      continue;
    }
    if (type[at] == '*' || type[at] == '[') words.emplace_back("*");
    if (type[at] == '<' || type[at] == '&') words.emplace_back("?");  // a template or a reference
    ++at;
  }
  return words;
}

}  // namespace

std::optional<Signature> signature_of(std::string_view source, const std::string& kernel,
                                      const std::string& file_name) {
  for (Signature& signature : compile::kernels_of(source, file_name)) {
    if (signature.name == kernel) return std::move(signature);
  }
  return std::nullopt;
}

std::optional<std::vector<std::string>> mangled_types(const std::string& ptx_name) {
  const std::optional<std::string> text = demangled(ptx_name);
  const size_t open = text ? text->find('(') : std::string::npos;
  if (open == std::string::npos) return std::nullopt;
  std::vector<std::string> out;
  for (const Parameter& parameter : compile::parameters_at(*text, open, {})) {
    // "unsigned int" is a type without a parameter name.
    const bool named = !parameter.name.empty();
    out.push_back(named ? parameter.type + " " + parameter.name : parameter.type);
  }
  return out;
}

TypeKind type_kind(std::string_view type) {
  struct Known {
    std::string_view name;
    char kind;
    int bytes;
  };
  static constexpr std::array kKnown = {
      Known{"float", 'f', 4},    Known{"double", 'f', 8},        Known{"half", 'f', 2},
      Known{"__half", 'f', 2},   Known{"__nv_bfloat16", 'f', 2}, Known{"char", 'i', 1},
      Known{"uchar", 'i', 1},    Known{"bool", 'i', 1},          Known{"short", 'i', 2},
      Known{"ushort", 'i', 2},   Known{"int", 'i', 4},           Known{"uint", 'i', 4},
      Known{"unsigned", 'i', 4}, Known{"signed", 'i', 4},        Known{"long", 'i', 8},
      Known{"longlong", 'i', 8}, Known{"ulonglong", 'i', 8},     Known{"ulong", 'i', 8},
      Known{"uint8_t", 'i', 1},  Known{"int8_t", 'i', 1},        Known{"uint16_t", 'i', 2},
      Known{"int16_t", 'i', 2},  Known{"uint32_t", 'i', 4},      Known{"int32_t", 'i', 4},
      Known{"uint64_t", 'i', 8}, Known{"int64_t", 'i', 8},       Known{"size_t", 'i', 8},
  };
  TypeKind out;
  int stars = 0;
  for (const std::string& word : words_of(type)) {
    if (word == "?") return {};
    stars += word == "*";
    if (word == "*" || word == "const" || word == "volatile" || word.starts_with("__restrict") ||
        word == "restrict")
      continue;
    // "float4" counts as float; "int32_t" is a name in its own right.
    std::string_view name = word;
    if (name.back() >= '1' && name.back() <= '4') name.remove_suffix(1);
    const auto known = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& k) {
      return k.name == name || k.name == word;
    });
    if (known == kKnown.end())
      return {.pointer = stars > 0 || type.find('*') != std::string_view::npos};
    // "unsigned" and "int" add nothing to another type word.
    const bool filler =
        known->name == "unsigned" || known->name == "signed" || known->name == "int";
    if (out.kind == '?' || !filler) {
      out.kind = known->kind;
      out.bytes = known->bytes;
    }
  }
  out.pointer = stars > 0;
  if (stars > 1) return {.pointer = true};
  return out;
}

}  // namespace warpshop::lab
