#include "lab/shared_layouts.h"

#include <charconv>
#include <optional>

#include "core/ascii.h"
#include "lab/value_type.h"
#include "models/layout.h"
#include "proof/kernel_text.h"

namespace warpshop::lab {
namespace {

std::optional<uint64_t> number_at(std::string_view text) {
  text = trimmed(text);
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || (end < text.data() + text.size() && is_word_character(*end)))
    return std::nullopt;
  return value;
}

// "constexpr int kTile = 32;", "#define TILE 32": the number behind the name.
std::optional<uint64_t> constant_named(std::string_view text, std::string_view name) {
  for (size_t at = find_word(text, name); at != std::string_view::npos;
       at = find_word(text, name, at + name.size())) {
    const std::string_view line = text.substr(0, at).substr(text.rfind('\n', at) + 1);
    std::string_view behind = trimmed(text.substr(at + name.size(), 40));
    const bool defined = trimmed(line) == "#define";
    if (!defined && (!behind.starts_with('=') || behind.starts_with("=="))) continue;
    if (!defined) behind.remove_prefix(1);
    if (const std::optional<uint64_t> value = number_at(behind)) return value;
  }
  return std::nullopt;
}

std::optional<uint64_t> sum_of(std::string_view text, std::string_view extent) {
  uint64_t sum = 0;
  while (true) {
    const size_t plus = extent.find('+');
    const std::string_view term = trimmed(extent.substr(0, plus));
    const std::optional<uint64_t> value =
        is_identifier(term) ? constant_named(text, term) : number_at(term);
    if (!value || (!is_identifier(term) && term.find_first_not_of("0123456789") != term.npos))
      return std::nullopt;
    sum += *value;
    if (plus == std::string_view::npos) return sum;
    extent.remove_prefix(plus + 1);
  }
}

// "(2,3)", innermost first; a single one without parentheses.
std::string tuple(const std::vector<uint64_t>& numbers) {
  std::string out;
  for (const uint64_t number : numbers) out += (out.empty() ? "" : ",") + std::to_string(number);
  return numbers.size() == 1 ? out : "(" + out + ")";
}

std::string layout_of(const std::vector<uint64_t>& counts) {
  constexpr uint64_t kRow = 32;
  if (counts.size() == 1) {
    const uint64_t n = counts[0];
    return n > kRow && n % kRow == 0 ? "(" + std::to_string(n / kRow) + ",32):(32,1)"
                                     : std::to_string(n) + ":1";
  }
  std::vector<uint64_t> down, strides;
  uint64_t stride = counts.back();
  for (size_t dimension = counts.size() - 1; dimension-- > 0;) {
    down.push_back(counts[dimension]);
    strides.push_back(stride);
    stride *= counts[dimension];
  }
  return "(" + tuple(down) + "," + std::to_string(counts.back()) + "):(" + tuple(strides) + ",1)";
}

}  // namespace

std::vector<SharedLayout> shared_layouts(std::string_view text, std::string_view kernel) {
  std::vector<SharedLayout> out;
  const std::optional<KernelText> read = kernel_text(text, kernel);
  if (!read) return out;
  for (const SharedDeclaration& declaration : read->shared_declarations()) {
    const std::optional<ValueType> type = value_type_named(declaration.type);
    if (!type) continue;
    for (const SharedArray& array : declaration.arrays) {
      std::vector<uint64_t> counts;
      for (const std::string& extent : array.extents) {
        if (const std::optional<uint64_t> count = sum_of(text, extent)) counts.push_back(*count);
      }
      if (counts.empty() || counts.size() < array.extents.size()) continue;
      const std::string layout = layout_of(counts);
      if (models::parse_layout(layout).ok())
        out.push_back({array.name, layout, static_cast<uint64_t>(type->size_bytes())});
    }
  }
  return out;
}

}  // namespace warpshop::lab
