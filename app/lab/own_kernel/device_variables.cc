#include "own_kernel/device_variables.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>

#include "core/fill.h"
#include "own_kernel/unset_variables.h"

namespace warpshop::lab {
namespace {

constexpr int64_t kMostNumbers = 4096;  // in the text, on one line
constexpr size_t kMostStructText = 16384;

// Random numbers of the labs' own kind with three decimals, which are easy to read.
std::string random_numbers(int64_t count, uint32_t seed) {
  std::vector<uint8_t> bytes(static_cast<size_t>(count) * sizeof(float));
  fill_bytes({.kind = FillKind::kRandom, .type = ElementType::kF32, .seed = seed}, bytes);
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += sizeof(float)) {
    float value = 0;
    std::memcpy(&value, bytes.data() + i, sizeof value);
    out += (i == 0 ? "" : ", ") + plain_number(std::round(value * 1000.0) / 1000);
  }
  return out;
}

std::string made_up(const UnsetVariable& variable, uint32_t seed, const std::string& n);

std::string made_up_struct(const UnsetVariable& variable, uint32_t seed, const std::string& n) {
  std::string out;
  for (int64_t i = 0; i < variable.count; ++i) {
    std::string element;
    for (const UnsetVariable& member : variable.members) {
      const std::string value = made_up(member, ++seed, n);
      if (value.empty() || out.size() > kMostStructText) return {};
      element += (element.empty() ? "" : ", ") + value;
    }
    out += (i == 0 ? "{" : ", {") + element + "}";
  }
  return variable.is_array ? "{" + out + "}" : out;
}

// As buffers of the same type are filled; empty: no values can be written.
std::string made_up(const UnsetVariable& variable, uint32_t seed, const std::string& n) {
  if (!variable.members.empty()) return made_up_struct(variable, seed, n);
  const int64_t numbers = variable.type ? variable.count * variable.type->count : 0;
  if (numbers < 1 || numbers > kMostNumbers || variable.type->kind == ValueType::Kind::kBrainFloat)
    return {};
  const bool floating = variable.type->kind == ValueType::Kind::kFloat;
  if (floating && variable.type->element_bytes == 2) return {};
  std::string out;
  if (floating) {
    out = random_numbers(numbers, seed);
  } else if (variable.type->kind == ValueType::Kind::kBool || variable.type->element_bytes < 4) {
    for (int64_t i = 0; i < numbers; ++i) out += i == 0 ? "1" : ", 1";
  } else if (!variable.is_array && numbers == 1) {
    out = n;
  } else {
    for (int64_t i = 0; i < numbers; ++i) out += (i == 0 ? "" : ", ") + std::to_string(i);
  }
  return variable.is_array || numbers > 1 ? "{" + out + "}" : out;
}

}  // namespace

std::vector<KernelLabVariable> proposed_variables(std::string_view source, const std::string& n) {
  std::vector<KernelLabVariable> out;
  for (const UnsetVariable& variable : unset_variables(source)) {
    KernelLabVariable& proposed = out.emplace_back();
    proposed.declaration = variable.declaration;
    proposed.name = variable.name;
    proposed.line = variable.line;
    proposed.value = variable.line > 0 ? variable.value
                                       : made_up(variable, static_cast<uint32_t>(out.size()), n);
  }
  return out;
}

std::string with_variables(const std::string& source,
                           const std::vector<KernelLabVariable>& variables) {
  std::string out = source;
  const std::vector<UnsetVariable> places = unset_variables(source);
  for (size_t i = std::min(places.size(), variables.size()); i-- > 0;) {
    const KernelLabVariable& variable = variables[i];
    if (variable.value.find_first_not_of(' ') == std::string::npos) continue;
    const std::string why = variable.line > 0
                                ? "as line " + std::to_string(variable.line) + " sets it"
                                : "made up: the program sets it at run time";
    out.insert(places[i].end, " = " + variable.value + " /* " + why + " */");
  }
  return out;
}

std::string variables_text(const std::vector<KernelLabVariable>& variables) {
  std::string out;
  for (const KernelLabVariable& variable : variables) {
    const bool zero = variable.value.find_first_not_of(' ') == std::string::npos;
    out +=
        "- `" + variable.name + "` " +
        (zero ? "stays zero, because the values that the program copies to it are unknown here. "
                "Give it an initialiser.\n"
         : variable.line > 0
             ? "holds what line " + std::to_string(variable.line) + " copies to it.\n"
             : "holds made-up values, because the program sets it at run time. Change them where "
               "it is declared.\n");
  }
  return out;
}

}  // namespace warpshop::lab
