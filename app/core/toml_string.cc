#include "core/toml_string.h"

namespace warpshop {

std::string toml_string(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      constexpr const char* kDigits = "0123456789ABCDEF";
      (out += "\\u00") += kDigits[byte >> 4];
      out += kDigits[byte & 15];
      continue;
    }
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

}  // namespace warpshop
