#include "files/tensor_file.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "core/expression.h"

namespace warpshop::lab {
namespace {

constexpr size_t kMostDimensions = 5;
constexpr int64_t kMostSwizzle = 128;  // bytes

// The values of a list that has to have `wanted` of them (0: any number), proven to be whole at
// each size; empty after a mistake.
std::vector<std::string> list_of(TomlTable& arg, std::string_view key, bool required, size_t wanted,
                                 const std::vector<const ProblemSize*>& sizes) {
  std::vector<std::string> out;
  for (Placed<std::string>& item : arg.expressions(key, required)) {
    if (item.place.column > 0) ++item.place.column;  // the text starts after the quote
    const Result<Expression> expression = Expression::parse(item.value, item.place);
    Diagnostics problems = expression.ok() ? Diagnostics{} : expression.errors();
    for (size_t n = 0; n < sizes.size() && problems.empty(); ++n) {
      const Result<int64_t> value = expression->evaluate_whole(lookup_in(sizes[n]->variables));
      if (!value.ok()) problems = value.errors();
    }
    if (!problems.empty()) {
      const Diagnostic& why = problems.front();
      arg.error(why.place, why.message, why.help);
      return {};
    }
    out.push_back(std::move(item.value));
  }
  if (!arg.has(key) || wanted == 0 || out.size() == wanted) return out;
  arg.error(arg.place_of_key(key), "'" + std::string(key) + "' has " + std::to_string(wanted) +
                                       " numbers here, not " + std::to_string(out.size()));
  return {};
}

// The key that a refusal of check_tensor_map() is about, by the first of its words found.
std::string_view key_of(const std::string& refusal) {
  constexpr std::pair<std::string_view, std::string_view> kWords[] = {
      {"swizzle", "swizzle"},    {"NaN", "nan_outside"}, {"element stride", "element_strides"},
      {"the stride", "strides"}, {"box", "box"},         {"elements", "extents"}};
  const auto* const found =
      std::find_if(std::begin(kWords), std::end(kWords),
                   [&](const auto& word) { return refusal.find(word.first) != std::string::npos; });
  return found == std::end(kWords) ? "tensor_map" : found->second;
}

}  // namespace

void read_tensor_map(TomlTable& arg, const std::vector<const ProblemSize*>& sizes, KernelArg& out) {
  TensorArg tensor;
  const Placed<std::string> type = arg.text("tensor_map");
  const std::optional<TensorType> known = tensor_type_named(type.value);
  if (!known && !type.value.empty()) {
    arg.error(type.place, "there is no element type '" + type.value + "' of tensor maps",
              "the types are u8, u16, i32, u32, i64, u64, f16, bf16, f32, f64, f32_ftz, tf32 and "
              "tf32_ftz");
  }
  tensor.type = known.value_or(TensorType::kF32);
  out.type = element_type_of(tensor.type);
  tensor.extents = list_of(arg, "extents", true, 0, sizes);
  const size_t rank = tensor.extents.size();
  tensor.box = list_of(arg, "box", true, rank, sizes);
  tensor.strides = list_of(arg, "strides", false, std::max<size_t>(rank, 1) - 1, sizes);
  tensor.element_strides = list_of(arg, "element_strides", false, rank, sizes);
  if (const auto swizzle = arg.optional_whole("swizzle"))
    tensor.swizzle_bytes = static_cast<int>(std::clamp<int64_t>(*swizzle, -1, kMostSwizzle + 1));
  tensor.nan_outside = arg.optional_flag("nan_outside").value_or(false);
  if (rank > kMostDimensions) {
    arg.error(arg.place_of_key("extents"),
              "a tensor has 1 to 5 dimensions, not " + std::to_string(rank));
  }
  const bool whole = known && rank >= 1 && rank <= kMostDimensions && tensor.box.size() == rank;
  out.tensor = tensor;
  if (!whole) return;
  for (const ProblemSize* size : sizes) {
    const Result<emulator::TensorMap> map = tensor_map_of(tensor, size->variables);
    const Status good = map.ok() ? emulator::check_tensor_map(*map, out.name) : map.errors();
    if (good.ok()) continue;
    for (const Diagnostic& why : good.errors()) {
      const std::string key(key_of(why.message.english()));
      arg.error(arg.has(key) ? arg.place_of_key(key) : arg.place(),
                why.message.english() + ", at " + size->label, why.help.english());
    }
    return;
  }
  out.count = element_count_of(tensor);
}

}  // namespace warpshop::lab
