#include "files/element_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "core/element.h"

namespace warpshop::lab {
namespace {

// Elements evaluated at a time: the columns stay in the host's cache.
constexpr size_t kChunk = 4096;
// Elements tried at a buffer's start and end when its lab is loaded.
constexpr uint64_t kMostTried = 65536;

// Whether an integer type holds the value; floats hold any.
template <typename T>
bool holds(double value) {
  if constexpr (!std::is_integral_v<T>) {
    return true;
  } else {
    constexpr auto kLow = static_cast<double>(std::numeric_limits<T>::min());
    // The first number beyond T's range: max + 1 is a power of two.
    constexpr double kBeyond = static_cast<double>(std::numeric_limits<T>::max() / 2 + 1) * 2;
    return value >= kLow && value < kBeyond && value == std::floor(value);
  }
}

// Writes the values as elements. Returns the index of the first that the type cannot hold, or
// values.size().
size_t put(ElementType type, std::span<const double> values, char* to) {
  return with_element_type(type, [&](auto element) {
    using T = decltype(element);
    for (size_t k = 0; k < values.size(); ++k) {
      if (!holds<T>(values[k])) return k;
      element = element_from<T>(values[k]);
      std::memcpy(to + k * sizeof element, &element, sizeof element);
    }
    return values.size();
  });
}

}  // namespace

Result<Expression> each_expression(const KernelArg& arg, const SourcePlace& place) {
  return Expression::parse(std::string_view(arg.fill).substr(kEachFill.size()), place);
}

bool uses_random(const KernelArg& arg) {
  const Result<Expression> expression = each_expression(arg);
  if (!expression.ok()) return false;
  const std::vector<Expression::NameUse> names = expression->names();
  return std::any_of(names.begin(), names.end(),
                     [](const Expression::NameUse& use) { return use.name == "random"; });
}

Result<std::string> element_values(const KernelArg& arg, const Expression& expression,
                                   ElementRange range, const ProblemSize& size,
                                   const StopFlag* stop) {
  std::map<std::string, double, std::less<>> single;
  for (const auto& [name, value] : size.variables) single[name] = static_cast<double>(value);
  const Fill fill{.kind = FillKind::kRandom, .seed = arg.seed, .key = arg.key};
  std::vector<double> index, random;
  const ColumnLookup names = [&](std::string_view name) -> std::optional<std::span<const double>> {
    if (name == "i") return index;
    if (name == "random") return random;
    const auto found = single.find(name);
    if (found == single.end()) return std::nullopt;
    return std::span<const double>(&found->second, 1);
  };
  const auto bytes = static_cast<size_t>(size_bytes(arg.type));
  std::string out(range.count * bytes, '\0');
  for (uint64_t done = 0; done < range.count; done += kChunk) {
    if (stop != nullptr && stop->requested())
      return make_error("stopped", sentence("stopped before the buffers were filled"));
    const size_t now = std::min<uint64_t>(kChunk, range.count - done);
    const uint64_t begin = range.first + done;
    index.resize(now);
    random.resize(now);
    for (size_t k = 0; k < now; ++k) {
      index[k] = static_cast<double>(begin + k);
      random[k] = random_word(fill, begin + k);
    }
    const Result<std::vector<double>> values = expression.evaluate_each(now, names);
    if (!values.ok()) return values.errors();
    const size_t good = put(arg.type, *values, out.data() + done * bytes);
    if (good == now) continue;
    return make_error("expression",
                      sentence("element {index} would be {value}, which {type} cannot hold",
                               {{"index", number_text(static_cast<double>(begin + good))},
                                {"value", number_text((*values)[good])},
                                {"type", std::string(name_of(arg.type))}}),
                      sentence("use floor(…) for whole numbers"));
  }
  return out;
}

Diagnostics element_problems(const KernelArg& arg, const SourcePlace& place,
                             const std::vector<const ProblemSize*>& sizes) {
  const Result<Expression> expression = each_expression(arg, place);
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
          element_values(arg, *expression, {.first = first, .count = tried}, *size);
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
