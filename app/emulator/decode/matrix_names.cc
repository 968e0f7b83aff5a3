#include "decode/matrix_names.h"

#include <utility>

namespace warpshop::emulator {

std::optional<matrix::Element> element_named(std::string_view name) {
  static constexpr std::pair<std::string_view, matrix::Element> kNames[] = {
      {"f16", matrix::Element::kF16},   {"bf16", matrix::Element::kBf16},
      {"tf32", matrix::Element::kTf32}, {"e4m3", matrix::Element::kE4m3},
      {"e5m2", matrix::Element::kE5m2}, {"f64", matrix::Element::kF64},
      {"s8", matrix::Element::kS8},     {"u8", matrix::Element::kU8},
      {"s4", matrix::Element::kS4},     {"u4", matrix::Element::kU4},
      {"b1", matrix::Element::kB1}};
  for (const auto& [text, element] : kNames) {
    if (text == name) return element;
  }
  return std::nullopt;
}

std::optional<matrix::Accumulator> accumulator_named(std::string_view name) {
  if (name == "f32") return matrix::Accumulator::kF32;
  if (name == "f16") return matrix::Accumulator::kF16;
  if (name == "s32") return matrix::Accumulator::kS32;
  if (name == "f64") return matrix::Accumulator::kF64;
  return std::nullopt;
}

}  // namespace warpshop::emulator
