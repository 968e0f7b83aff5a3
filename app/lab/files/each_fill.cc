#include "files/each_fill.h"

#include <algorithm>
#include <string_view>

#include "core/expression.h"

namespace warpshop::lab {
namespace {

// Elements tried at a buffer's start and end when its lab is loaded.
constexpr uint64_t kMostTried = 65536;

}  // namespace

std::optional<EachElement> each_element_of(const KernelArg& arg, const ProblemSize& size) {
  if (!arg.fill.starts_with(kEachFill)) return std::nullopt;
  return EachElement{.expression = arg.fill.substr(kEachFill.size()),
                     .variables = size.variables,
                     .type = arg.type,
                     .seed = arg.seed,
                     .key = arg.key};
}

bool uses_random(const KernelArg& arg) {
  if (!arg.fill.starts_with(kEachFill)) return false;
  const Result<Expression> expression = Expression::parse(arg.fill.substr(kEachFill.size()));
  if (!expression.ok()) return false;
  const std::vector<Expression::NameUse> names = expression->names();
  return std::any_of(names.begin(), names.end(),
                     [](const Expression::NameUse& use) { return use.name == "random"; });
}

Diagnostics element_problems(const KernelArg& arg, const SourcePlace& place,
                             const std::vector<const ProblemSize*>& sizes) {
  const Result<Expression> expression =
      Expression::parse(std::string_view(arg.fill).substr(kEachFill.size()), place);
  if (!expression.ok()) return expression.errors();
  const Result<Expression> elements = Expression::parse(arg.count);
  if (!elements.ok()) return {};  // reported for the count
  for (const ProblemSize* size : sizes) {
    const Result<int64_t> count = elements->evaluate_whole(lookup_in(size->variables));
    if (!count.ok() || *count < 1) return {};
    const auto all = static_cast<uint64_t>(*count);
    const uint64_t tried = std::min(all, kMostTried);
    for (const uint64_t first : {uint64_t{0}, all - tried}) {
      const Result<std::string> values =
          element_values(*each_element_of(arg, *size), {.first = first, .count = tried});
      if (values.ok()) continue;
      Diagnostic problem = values.errors().front();
      if (problem.place.line == 0) problem.place = place;
      problem.message =
          sentence("at {size}: {message}", {{"size", size->label}, {"message", problem.message}});
      return {problem};
    }
  }
  return {};
}

}  // namespace warpshop::lab
