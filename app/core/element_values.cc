#include "core/element_values.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/element.h"
#include "core/expression.h"
#include "core/fill.h"

namespace warpshop {
namespace {

// Elements evaluated at a time: the columns stay in the host's cache.
constexpr size_t kChunk = 4096;

// Whether an integer type holds the value; floats hold any.
template <typename T>
bool holds(double value) {
  if constexpr (!std::is_integral_v<T>) {
    return true;
  } else {
    constexpr auto kLow = static_cast<double>(std::numeric_limits<T>::min());
    // The first number beyond T's range: max + 1 is a power of two.
    constexpr T kHalf = std::numeric_limits<T>::max() / 2 + 1;
    constexpr double kBeyond = static_cast<double>(kHalf) * 2;
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

Result<std::string> element_values(const EachElement& each, ElementRange range,
                                   const StopFlag* stop) {
  const Result<Expression> expression = Expression::parse(each.expression);
  if (!expression.ok()) return expression.errors();
  std::map<std::string, double, std::less<>> single;
  for (const auto& [name, value] : each.variables) single[name] = static_cast<double>(value);
  const Fill fill{.kind = FillKind::kRandom, .seed = each.seed, .key = each.key};
  std::vector<double> index, random;
  const ColumnLookup names = [&](std::string_view name) -> std::optional<std::span<const double>> {
    if (name == "i") return index;
    if (name == "random") return random;
    const auto found = single.find(name);
    if (found == single.end()) return std::nullopt;
    return std::span<const double>(&found->second, 1);
  };
  const auto bytes = static_cast<size_t>(size_bytes(each.type));
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
    const Result<std::vector<double>> values = expression->evaluate_each(now, names);
    if (!values.ok()) return values.errors();
    const size_t good = put(each.type, *values, out.data() + done * bytes);
    if (good == now) continue;
    return make_error("expression",
                      sentence("element {index} would be {value}, which {type} cannot hold",
                               {{"index", number_text(static_cast<double>(begin + good))},
                                {"value", number_text((*values)[good])},
                                {"type", std::string(name_of(each.type))}}),
                      sentence("use floor(…) for whole numbers"));
  }
  return out;
}

}  // namespace warpshop
