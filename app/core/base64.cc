#include "core/base64.h"

#include <cstdint>

namespace warpshop {

std::string base64(std::string_view bytes) {
  static constexpr char kDigits[] =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  out.reserve((bytes.size() + 2) / 3 * 4);
  for (size_t i = 0; i < bytes.size(); i += 3) {
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k) {
      group = group << 8 | (i + k < bytes.size() ? static_cast<uint8_t>(bytes[i + k]) : 0U);
    }
    for (size_t k = 0; k < 4; ++k) {
      const bool padding = i + k > bytes.size();
      out.push_back(padding ? '=' : kDigits[group >> (18 - 6 * k) & 63]);
    }
  }
  return out;
}

std::optional<std::string> from_base64(std::string_view text) {
  if (text.size() % 4 != 0) return std::nullopt;
  std::string out;
  out.reserve(text.size() / 4 * 3);
  for (size_t i = 0; i < text.size(); i += 4) {
    uint32_t group = 0;
    size_t padding = 0;
    for (size_t k = 0; k < 4; ++k) {
      const char c = text[i + k];
      uint32_t digit = 0;
      if (c >= 'A' && c <= 'Z')
        digit = static_cast<uint32_t>(c - 'A');
      else if (c >= 'a' && c <= 'z')
        digit = static_cast<uint32_t>(c - 'a' + 26);
      else if (c >= '0' && c <= '9')
        digit = static_cast<uint32_t>(c - '0' + 52);
      else if (c == '+')
        digit = 62;
      else if (c == '/')
        digit = 63;
      else if (c == '=' && i + 4 == text.size() && k >= 2)
        ++padding;
      else
        return std::nullopt;
      if (padding > 0 && c != '=') return std::nullopt;
      group = group << 6 | digit;
    }
    for (size_t k = 0; k < 3 - padding; ++k) {
      out.push_back(static_cast<char>(group >> (16 - 8 * k) & 0xFF));
    }
  }
  return out;
}

}  // namespace warpshop
