#include "lab/tensor_arg.h"

#include <limits>

#include "core/expression.h"

namespace warpshop::lab {
namespace {

constexpr int kPieceBytes = 16;  // copies move whole pieces

// Evaluates a list into the first elements of `to`.
template <typename Numbers>
Status evaluate(const std::vector<std::string>& list, const NameLookup& names, Numbers& to) {
  for (size_t n = 0; n < list.size() && n < to.size(); ++n) {
    const Result<Expression> expression = Expression::parse(list[n]);
    if (!expression.ok()) return expression.errors();
    const Result<int64_t> value = expression->evaluate_whole(names);
    if (!value.ok()) return value.errors();
    using Number = typename Numbers::value_type;
    if (*value < 0 || static_cast<uint64_t>(*value) > std::numeric_limits<Number>::max())
      return make_error("lab-file", "\"" + list[n] + "\" is " + std::to_string(*value),
                        "numbers of a tensor map are not negative and fit into 32 bits, extents "
                        "and strides into 64");
    to[n] = static_cast<Number>(*value);
  }
  return success();
}

}  // namespace

Result<emulator::TensorMap> tensor_map_of(const TensorArg& arg,
                                          const std::map<std::string, int64_t>& variables) {
  emulator::TensorMap map;
  map.type = arg.type;
  map.rank = static_cast<int>(arg.extents.size());
  map.swizzle_bytes = arg.swizzle_bytes;
  map.nan_outside = arg.nan_outside;
  const NameLookup names = lookup_in(variables);
  for (const Status& status :
       {evaluate(arg.extents, names, map.extents), evaluate(arg.box, names, map.box),
        evaluate(arg.element_strides, names, map.element_strides)}) {
    if (!status.ok()) return status.errors();
  }
  map.pack();
  const Status strides = evaluate(arg.strides, names, map.strides);
  if (!strides.ok()) return strides.errors();
  return map;
}

std::string element_count_of(const TensorArg& arg) {
  const int element = size_bytes(arg.type);
  const auto in_brackets = [](const std::string& text) { return "(" + text + ")"; };
  std::string bytes = std::to_string(element);
  for (size_t d = 0; d < arg.extents.size(); ++d) {
    if (arg.strides.empty() || d == 0) {
      bytes += " * " + in_brackets(arg.extents[d]);
    } else {
      bytes += " + (" + in_brackets(arg.extents[d]) + " - 1) * " + in_brackets(arg.strides[d - 1]);
    }
  }
  return "ceil_div(" + bytes + ", " + std::to_string(kPieceBytes) + ") * " +
         std::to_string(kPieceBytes / element);
}

emulator::Argument tensor_argument(emulator::TensorMap map, emulator::DevicePointer base) {
  map.base = base;
  const auto bytes = emulator::encode(map);
  return emulator::Argument{{bytes.begin(), bytes.end()}};
}

}  // namespace warpshop::lab
