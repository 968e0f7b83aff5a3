#include "lab/kernel_choice.h"

#include <algorithm>
#include <cmath>

#include "lab/value_type.h"
#include "own_kernel/host_launch.h"
#include "run/signature.h"

namespace warpshop::lab {
namespace {

// Quotes names that a shell would split: "'k<16>'".
std::string for_shell(const std::string& name) {
  return name.find('<') == std::string::npos ? name : "'" + name + "'";
}

std::string bare_type(std::string type) {
  for (const std::string_view word : {"const ", " const", "volatile ", "__restrict__",
                                      "__grid_constant__ ", "__grid_constant__"}) {
    for (size_t at = type.find(word); at != std::string::npos; at = type.find(word))
      type.erase(at, word.size());
  }
  type.erase(0, type.find_first_not_of(' '));
  while (type.ends_with(' ')) type.pop_back();
  return type;
}

std::string dimensions_or(const std::vector<HostNumber>& stated, const std::string& guess) {
  std::string out;
  for (const HostNumber& number : stated)
    out += (out.empty() ? "" : ",") + plain_number(number.value);
  return out.empty() ? guess : out;
}

// Replaces the guessed number of "float[1024]=random" or "i32=1024" by what the program states.
void put_number(std::string& argument, const HostNumber& stated) {
  const size_t open = argument.find('['), close = argument.find(']'), equals = argument.find('=');
  if (open != std::string::npos && open < equals) {
    const std::optional<ValueType> type = value_type_named(argument.substr(0, open));
    const double count = type ? std::floor(stated.value / type->size_bytes()) : 0;
    if (count >= 1) argument.replace(open + 1, close - open - 1, plain_number(count));
    return;
  }
  const std::optional<ValueType> type = value_type_named(argument.substr(0, equals));
  if (!type || type->count != 1 || type->kind == ValueType::Kind::kBool) return;
  const bool floating =
      type->kind == ValueType::Kind::kFloat || type->kind == ValueType::Kind::kBrainFloat;
  if (floating || stated.whole)
    argument.replace(equals + 1, std::string::npos, plain_number(stated.value));
}

}  // namespace

std::string proposed_argument(const compile::SourceParameter& parameter) {
  const TypeKind kind = type_kind(parameter.type);
  if (kind.pointer) {
    std::string element = bare_type(parameter.type);
    element.erase(element.find_last_not_of("* ") + 1);
    const std::optional<ValueType> type = value_type_named(element);
    if (!type) return "u8[4096]=zero";
    return element.find(' ') == std::string::npos ? element + "[1024]=random" : "u8[4096]=random";
  }
  const std::string bare = bare_type(parameter.type);
  const std::optional<ValueType> type = value_type_named(bare);
  if (!type) return "{<fields of " + bare + ">}";
  const bool floating =
      type->kind == ValueType::Kind::kFloat || type->kind == ValueType::Kind::kBrainFloat;
  std::string value = type->kind == ValueType::Kind::kBool ? "true"
                      : floating                           ? "0.5"
                      : type->element_bytes == 1           ? "1"
                                                           : "1024";
  std::string values = value;
  for (int n = 1; n < type->count; ++n) values += "," + value;
  const std::string name = bare.find(' ') == std::string::npos
                               ? bare
                               : std::string(type->kind == ValueType::Kind::kUnsigned ? "u" : "i") +
                                     std::to_string(8 * type->element_bytes);
  return name + "=" + values;
}

std::string kernel_lines(const std::vector<compile::SourceKernel>& kernels) {
  std::string out;
  for (const compile::SourceKernel& kernel : kernels) {
    out += "\n    " + kernel.signature() + "  (line " + std::to_string(kernel.place.line);
    if (kernel.is_template) out += ", a template";
    for (const std::string& instance : kernel.instances)
      out += (instance == kernel.instances.front() ? ": " : ", ") + instance;
    if (!kernel.launches.empty()) {
      const compile::SourceLaunch& launch = kernel.launches.front();
      out += "; launched in line " + std::to_string(launch.place.line) + " with <<<" +
             launch.configuration + ">>>";
    }
    out += ")";
  }
  return out;
}

std::string proposed_command(std::string_view source, const compile::SourceKernel& kernel) {
  const HostLaunch launch = first_launch(source, kernel).value_or(HostLaunch{});
  const std::string name = !launch.instance.empty()   ? launch.instance
                           : kernel.instances.empty() ? kernel.scope + kernel.name
                                                      : kernel.instances.front();
  std::string out = "--kernel " + for_shell(name) + " --grid " + dimensions_or(launch.grid, "4") +
                    " --block " + dimensions_or(launch.block, "256");
  if (launch.shared_bytes && launch.shared_bytes->value > 0)
    out += " --shared " + plain_number(launch.shared_bytes->value);
  const std::vector<compile::SourceParameter> parameters = kernel.parameters_of(name);
  for (size_t i = 0; i < parameters.size(); ++i) {
    std::string argument = proposed_argument(parameters[i]);
    if (i < launch.arguments.size() && launch.arguments[i])
      put_number(argument, *launch.arguments[i]);
    out += " --arg '" + argument + "'";
  }
  return out;
}

}  // namespace warpshop::lab
