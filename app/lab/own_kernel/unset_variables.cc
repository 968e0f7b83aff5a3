#include "own_kernel/unset_variables.h"

#include <algorithm>
#include <optional>

namespace warpshop::lab {
namespace {

class VariableReader : HostSource {
 public:
  using HostSource::HostSource;

  std::vector<UnsetVariable> unset_variables() const {
    std::vector<UnsetVariable> out;
    size_t end = 0;  // of the last statement read
    for (size_t at = 0; at < size(); ++at) {
      if (at < end || (!is(at, "__constant__") && !is(at, "__device__"))) continue;
      for (end = at; end < size() && !is(end, ";") && !is(end, "{") && !is(end, "(");)
        end = (is(end, "__align__") || is(end, "alignas")) && is(end + 1, "(") ? past(end + 1)
                                                                               : past_square(end);
      if (is(end, ";")) variables_in({statement_start(at), end}, out);
    }
    return out;
  }

 private:
  void variables_in(Range range, std::vector<UnsetVariable>& out) const {
    for (Declarator& declared : declarators(range)) {
      if (!declared.plain) continue;
      const bool copied = read_copy(declared.dimensions, declared.variable);
      if (copied || declared.variable.declaration.find("__constant__") != std::string::npos)
        out.push_back(std::move(declared.variable));
    }
  }

  // Reads the first copy to a variable. False: nothing is copied to it.
  bool read_copy(int dimensions, UnsetVariable& variable) const {
    for (size_t at = 0; at < size(); ++at) {
      if (!is_word(at) || !token(at).text.starts_with("cudaMemcpyToSymbol") || !is(at + 1, "("))
        continue;
      const std::vector<Range> given = parts(at + 2, matching(at + 1));
      if (given.size() < 3 || !is(given[0].last - 1, variable.name)) continue;
      const bool from_start = given.size() < 4 || is(given[3].first, "0");
      const std::optional<std::string> value =
          from_start ? initialiser(given[1], dimensions, variable) : std::nullopt;
      const bool fits = value && (variable.count == 0 || !variable.type ||
                                  std::count(value->begin(), value->end(), ',') <
                                      variable.count * variable.type->count);
      if (fits) {
        variable.value = *value;
        variable.line = line_of(at);
      }
      return true;
    }
    return false;
  }

  // The value that the host variable in `range`, "weights" or "&scale", certainly holds.
  std::optional<std::string> initialiser(Range range, int dimensions,
                                         const UnsetVariable& variable) const {
    const bool address = is(range.first, "&");
    if (address) ++range.first;
    if (range.last != range.first + 1 || !is_word(range.first) || address == (dimensions > 0))
      return std::nullopt;
    const std::optional<Declaration> declared = declaration(token(range.first).text, range.first);
    if (declared && !variable.members.empty() && address && is(declared->value.first, "{") &&
        (declared->constant || is_untouched(*declared, range.first))) {
      constexpr int kMostNested = 4;
      return braced(declared->value, kMostNested);
    }
    if (!declared || declared->dimensions != dimensions || !declared->element || !variable.type ||
        declared->element->kind != variable.type->kind ||
        declared->element->size_bytes() != variable.type->size_bytes())
      return std::nullopt;
    if (address) {
      const std::optional<HostNumber> read = number(range);
      return read ? std::optional(plain_number(read->value)) : std::nullopt;
    }
    if (!declared->constant &&
        !(stays(*declared, range.first) && keeps_elements(*declared, range.first)))
      return std::nullopt;
    return braced(declared->value, dimensions + 1);
  }
  // "{{1, 2}, {3, 4}}", if all its numbers are certain; at most `depth` braces deep.
  std::optional<std::string> braced(Range range, int depth) const {
    if (!is(range.first, "{")) {
      const std::optional<HostNumber> read = number(range);
      return read ? std::optional(plain_number(read->value)) : std::nullopt;
    }
    if (depth == 0) return std::nullopt;
    std::string out;
    for (const Range& part : parts(range.first + 1, range.last - 1)) {
      const std::optional<std::string> inner = braced(part, depth - 1);
      if (!inner) return std::nullopt;
      out += (out.empty() ? "" : ", ") + *inner;
    }
    return "{" + out + "}";
  }
  // True if between its declaration and the token `from` only sizeof mentions the variable.
  bool is_untouched(const Declaration& declared, size_t from) const {
    for (size_t at = declared.name + 1; at < from; ++at) {
      if (token(at).is(token(declared.name).text) && !is(at - 1, "sizeof") && !is(at - 2, "sizeof"))
        return false;
    }
    return true;
  }
  // True if an array's elements are only read or copied between its declaration and the token
  // `from`.
  bool keeps_elements(const Declaration& declared, size_t from) const {
    for (size_t at = declared.name + 1; at < from; ++at) {
      if (!token(at).is(token(declared.name).text)) continue;
      if (is(at - 1, "sizeof") || (is(at - 1, "(") && is(at - 2, "sizeof"))) continue;
      size_t last = at;
      while (is(last + 1, "[")) last = matching(last + 1);
      if (last == at || changes(last)) return false;  // a function that gets it may fill it
    }
    return true;
  }
};

}  // namespace

std::vector<UnsetVariable> unset_variables(std::string_view source) {
  return VariableReader(source).unset_variables();
}

}  // namespace warpshop::lab
