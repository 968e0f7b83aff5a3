#include "core/utf8.h"

#include <algorithm>

namespace warpshop {

// Table 3-7 of the Unicode Standard, "Well-Formed UTF-8 Byte Sequences".
size_t utf8_length(std::string_view text) {
  const auto byte = [text](size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(0);
  const size_t length = first < 0x80                     ? 1
                        : first >= 0xC2 && first <= 0xDF ? 2
                        : first >= 0xE0 && first <= 0xEF ? 3
                        : first >= 0xF0 && first <= 0xF4 ? 4
                                                         : 0;
  if (length == 0 || length > text.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
  }
  if (first == 0xE0 && byte(1) < 0xA0) return 0;
  if (first == 0xED && byte(1) > 0x9F) return 0;  // surrogates
  if (first == 0xF0 && byte(1) < 0x90) return 0;
  if (first == 0xF4 && byte(1) > 0x8F) return 0;
  return length;
}

uint32_t code_point(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first;
  uint32_t code = first & (0x7fU >> character.size());
  for (const char c : character.substr(1))
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3fU);
  return code;
}

bool is_bidirectional(uint32_t code) {
  return (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// In code, almost every character is ASCII: every other byte is 0.
bool looks_like_utf16(std::string_view text) {
  if (text.size() % 2 != 0) return false;
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) return true;
  size_t zeros[2] = {0, 0};
  for (size_t at = 0; at < text.size(); ++at) zeros[at % 2] += text[at] == '\0' ? 1 : 0;
  const size_t most = text.size() / 2;
  return std::min(zeros[0], zeros[1]) == 0 && 10 * std::max(zeros[0], zeros[1]) > 9 * most;
}

std::string valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    if (length == 0) {
      out += "\uFFFD";
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

}  // namespace warpshop
