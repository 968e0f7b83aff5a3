#include "core/element.h"

#include <type_traits>

#include "core/charconv.h"

namespace warpshop {

std::string element_text(ElementType type, const uint8_t* bytes) {
  return with_element_type(type, [bytes](auto element) {
    std::memcpy(&element, bytes, sizeof element);
    char buffer[64];
    char* const end = buffer + sizeof buffer;
    if constexpr (std::is_class_v<decltype(element)>) {
      return std::string(buffer, to_chars(buffer, end, static_cast<float>(element)).ptr);
    } else {
      return std::string(buffer, to_chars(buffer, end, element).ptr);
    }
  });
}

}  // namespace warpshop
