#include "core/tensor_type.h"

#include <algorithm>
#include <iterator>

namespace warpshop {
namespace {

struct TensorTypeFacts {
  std::string_view name;
  int bytes;
  ElementType element;
};
constexpr TensorTypeFacts kTensorTypes[] = {
    {"u8", 1, ElementType::kU8},       {"u16", 2, ElementType::kU16},
    {"u32", 4, ElementType::kU32},     {"i32", 4, ElementType::kI32},
    {"u64", 8, ElementType::kI64},     {"i64", 8, ElementType::kI64},
    {"f16", 2, ElementType::kF16},     {"f32", 4, ElementType::kF32},
    {"f64", 8, ElementType::kF64},     {"bf16", 2, ElementType::kBf16},
    {"f32_ftz", 4, ElementType::kF32}, {"tf32", 4, ElementType::kF32},
    {"tf32_ftz", 4, ElementType::kF32}};
static_assert(std::size(kTensorTypes) == kTensorTypeCount);

const TensorTypeFacts& facts_of(TensorType type) { return kTensorTypes[static_cast<size_t>(type)]; }

}  // namespace

int size_bytes(TensorType type) { return facts_of(type).bytes; }
std::string_view name_of(TensorType type) { return facts_of(type).name; }
ElementType element_type_of(TensorType type) { return facts_of(type).element; }

uint64_t span_bytes(TensorType type, std::span<const uint64_t> extents,
                    std::span<const uint64_t> strides) {
  // Beyond what any GPU has, sums could overflow.
  constexpr uint64_t kTooMuch = uint64_t{1} << 52;
  uint64_t bytes = extents.front();
  if (bytes >= kTooMuch) return kTooMuch;
  bytes *= static_cast<uint64_t>(size_bytes(type));
  for (size_t d = 1; d < extents.size(); ++d) {
    if (extents[d] > 1 && strides[d - 1] > kTooMuch / (extents[d] - 1)) return kTooMuch;
    bytes += (extents[d] - 1) * strides[d - 1];
  }
  return bytes;
}

std::optional<TensorType> tensor_type_named(std::string_view name) {
  const auto* const found = std::find_if(std::begin(kTensorTypes), std::end(kTensorTypes),
                                         [&](const TensorTypeFacts& t) { return t.name == name; });
  if (found == std::end(kTensorTypes)) return std::nullopt;
  return static_cast<TensorType>(found - std::begin(kTensorTypes));
}

}  // namespace warpshop
