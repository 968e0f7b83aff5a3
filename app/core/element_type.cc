#include "core/element_type.h"

namespace warpshop {

int size_bytes(ElementType type) {
  switch (type) {
    case ElementType::kU8:
      return 1;
    case ElementType::kU16:
    case ElementType::kF16:
    case ElementType::kBf16:
      return 2;
    case ElementType::kI32:
    case ElementType::kU32:
    case ElementType::kF32:
      return 4;
    case ElementType::kI64:
    case ElementType::kF64:
      return 8;
  }
  return 0;
}

bool is_floating(ElementType type) {
  return type == ElementType::kF16 || type == ElementType::kBf16 || type == ElementType::kF32 ||
         type == ElementType::kF64;
}

std::string_view name_of(ElementType type) {
  switch (type) {
    case ElementType::kU8:
      return "u8";
    case ElementType::kU16:
      return "u16";
    case ElementType::kI32:
      return "i32";
    case ElementType::kU32:
      return "u32";
    case ElementType::kI64:
      return "i64";
    case ElementType::kF16:
      return "f16";
    case ElementType::kBf16:
      return "bf16";
    case ElementType::kF32:
      return "f32";
    case ElementType::kF64:
      return "f64";
  }
  return "";
}

std::optional<ElementType> element_type_named(std::string_view name) {
  for (ElementType type : kElementTypes) {
    if (name_of(type) == name) return type;
  }
  return std::nullopt;
}

}  // namespace warpshop
