#include "run/local_arrays.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "compile/cuda_tokens.h"
#include "core/charconv.h"
#include "core/lines.h"
#include "lab/value_type.h"

namespace warpshop::lab {
namespace {

using compile::CudaToken;
using compile::TokenKind;

struct LocalArray {
  uint64_t element_bytes = 0;     // 0: of a type that is not known here
  std::vector<uint64_t> extents;  // empty: one of them is not known here
  uint64_t count() const {
    uint64_t out = extents.empty() ? 0 : 1;
    for (const uint64_t extent : extents) out *= extent;
    return out;
  }
};
using LocalArrays = std::map<std::string, LocalArray, std::less<>>;
using Constants = std::map<std::string, uint64_t, std::less<>>;

// Constants with a number for a value: `#define N 8`, `constexpr int N = 8;`.
Constants constants_of(const std::vector<CudaToken>& tokens) {
  Constants out;
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].kind == TokenKind::kDirective &&
        compile::directive_name(tokens[i].text) == "define") {
      const std::string_view line = tokens[i].text;
      const std::vector<CudaToken> words =
          compile::cuda_tokens(line.substr(line.find("define") + 6));
      if (words.size() != 2) continue;
      if (const auto value = parse_number<uint64_t>(words[1].text))
        out[std::string(words[0].text)] = *value;
    } else if (tokens[i].kind == TokenKind::kName && i >= 2 && i + 3 < tokens.size() &&
               tokens[i + 1].is("=") && tokens[i + 3].is(";") &&
               (tokens[i - 2].is("const") || tokens[i - 2].is("constexpr") ||
                tokens[i - 1].is("const"))) {
      if (const auto value = parse_number<uint64_t>(tokens[i + 2].text))
        out[std::string(tokens[i].text)] = *value;
    }
  }
  return out;
}

// The first token of the declaration or statement that `at` belongs to; none within parentheses.
std::optional<size_t> statement_of(const std::vector<CudaToken>& tokens, size_t at) {
  for (size_t i = at; i > 0; --i) {
    const CudaToken& before = tokens[i - 1];
    if (before.kind == TokenKind::kDirective || before.is(";") || before.is("{") || before.is("}"))
      return i;
    if (before.is("(") || before.is(")")) return std::nullopt;
  }
  return 0;
}

// Those of an array whose first bracket is the token `at`; empty if one is not known here.
std::vector<uint64_t> extents_at(const std::vector<CudaToken>& tokens, size_t at,
                                 const Constants& constants) {
  std::vector<uint64_t> out;
  for (; at + 2 < tokens.size() && tokens[at].is("["); at += 3) {
    std::optional<uint64_t> extent = parse_number<uint64_t>(tokens[at + 1].text);
    if (const auto named = constants.find(tokens[at + 1].text); named != constants.end())
      extent = named->second;
    if (!extent || !tokens[at + 2].is("]")) return {};
    out.push_back(*extent);
  }
  return out;
}

// Arrays that the source declares in local memory.
LocalArrays local_arrays_of(const std::vector<CudaToken>& tokens) {
  const Constants constants = constants_of(tokens);
  LocalArrays out;
  for (size_t i = 1; i + 1 < tokens.size(); ++i) {
    if (tokens[i].kind != TokenKind::kName || !tokens[i + 1].is("[") ||
        !(tokens[i - 1].kind == TokenKind::kName || tokens[i - 1].is(",")))
      continue;
    const auto begin = statement_of(tokens, i);
    if (!begin || *begin >= i || tokens[*begin].kind != TokenKind::kName ||
        tokens[*begin + 1].kind != TokenKind::kName)
      continue;
    LocalArray array;
    bool elsewhere = false;
    for (size_t w = *begin; w < i; ++w) {
      for (const char* other : {"__shared__", "__constant__", "__device__", "extern", "static",
                                "return", "typedef", "else", "do"})
        elsewhere |= tokens[w].is(other);
      const auto known = value_type_named(tokens[w].text);
      if (known && array.element_bytes == 0)
        array.element_bytes = static_cast<uint64_t>(known->size_bytes());
    }
    if (elsewhere) continue;
    array.extents = extents_at(tokens, i + 1, constants);
    out[std::string(tokens[i].text)] = array;
  }
  return out;
}

// The array that the line indexes; empty if none or several.
std::string indexed_in(std::string_view line, const LocalArrays& arrays) {
  const std::vector<CudaToken> tokens = compile::cuda_tokens(line);
  std::set<std::string> found;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (tokens[i + 1].is("[") && arrays.contains(tokens[i].text))
      found.insert(std::string(tokens[i].text));
  }
  return found.size() == 1 ? *found.begin() : "";
}

// True if local memory is this array alone. printf keeps its arguments there as well.
bool is_all_of_it(const LocalArray& array, const emulator::Finding& f, std::string_view source) {
  if (source.find("printf") != std::string_view::npos || f.distance_bytes < 0) return false;
  if (f.distance_bytes == 0) return f.address < array.count() * array.element_bytes;
  const uint64_t end = f.address + f.size_bytes - static_cast<uint64_t>(f.distance_bytes);
  return array.count() * array.element_bytes == end;
}

}  // namespace

std::vector<uint64_t> shared_extents(std::string_view source, std::string_view array) {
  const std::vector<CudaToken> tokens = compile::cuda_tokens(source);
  const Constants constants = constants_of(tokens);
  std::optional<std::vector<uint64_t>> found;
  for (size_t i = 0; i + 1 < tokens.size(); ++i) {
    if (!tokens[i].is(array) || !tokens[i + 1].is("[")) continue;
    const auto begin = statement_of(tokens, i);
    if (!begin) continue;
    const bool shared = std::any_of(tokens.begin() + static_cast<ptrdiff_t>(*begin),
                                    tokens.begin() + static_cast<ptrdiff_t>(i),
                                    [](const CudaToken& token) { return token.is("__shared__"); });
    if (!shared) continue;
    if (found) return {};  // which of the two is meant?
    found = extents_at(tokens, i + 1, constants);
  }
  return found.value_or(std::vector<uint64_t>());
}

void name_local_arrays(std::string_view source, std::string_view file_name,
                       std::vector<emulator::Finding>& findings) {
  const auto is_local = [&](const emulator::Finding& f) {
    return f.space == "local" && f.place.file == file_name && f.place.line > 0 &&
           (f.kind == emulator::FindingKind::kOutOfBounds ||
            f.kind == emulator::FindingKind::kUninitialised);
  };
  if (std::none_of(findings.begin(), findings.end(), is_local)) return;
  const LocalArrays arrays = local_arrays_of(compile::cuda_tokens(source));
  for (emulator::Finding& f : findings) {
    if (!is_local(f)) continue;
    const std::string name = indexed_in(nth_line(source, f.place.line), arrays);
    if (name.empty()) continue;
    f.allocation = name;
    const LocalArray& array = arrays.find(name)->second;
    Sentence what = sentence("in \"{name}\"", {{"name", name}});
    if (arrays.size() == 1 && array.count() > 0 && array.element_bytes > 0 &&
        is_all_of_it(array, f, source)) {
      const std::vector<SentencePart> parts = {
          {"name", name}, {"index", f.address / array.element_bytes}, {"count", array.count()}};
      what = array.extents.size() == 1
                 ? sentence("{name}[{index}] of {count}", parts)
                 : sentence("element {index} of {count} in \"{name}\"", parts);
    }
    f.message = std::move(what.then(std::move(f.message), ", "));
  }
}

}  // namespace warpshop::lab
