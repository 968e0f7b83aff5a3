// Element types of buffers, as used in lab files, on the command line and in messages to a GPU
// worker.
#pragma once

#include <optional>
#include <string_view>

namespace warpshop {

enum class ElementType { kU8, kU16, kI32, kU32, kI64, kF16, kBf16, kF32, kF64 };
inline constexpr ElementType kElementTypes[] = {
    ElementType::kU8,  ElementType::kU16,  ElementType::kI32, ElementType::kU32, ElementType::kI64,
    ElementType::kF16, ElementType::kBf16, ElementType::kF32, ElementType::kF64};

int size_bytes(ElementType type);
bool is_floating(ElementType type);
std::string_view name_of(ElementType type);  // "f32"
std::optional<ElementType> element_type_named(std::string_view name);

}  // namespace warpshop
