#include "core/terminal_text.h"

#include <cstdio>

#include "core/utf8.h"

namespace warpshop {
namespace {

bool is_control(unsigned code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

// The first character, or stray byte, of the text.
std::string_view first_of(std::string_view text, bool& valid) {
  const size_t length = utf8_length(text);
  valid = length > 0;
  return text.substr(0, valid ? length : 1);
}

std::string in_hex(const char* format, unsigned code) {
  char text[16];
  std::snprintf(text, sizeof text, format, code);
  return text;
}

}  // namespace

std::string terminal_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    bool valid = false;
    const std::string_view character = first_of(text, valid);
    text.remove_prefix(character.size());
    const uint32_t code = code_point(character);
    const bool line_end = code == '\r' && text.starts_with('\n');
    if (valid && is_bidirectional(code)) {
      out += in_hex("\\u%04X", code);
    } else if (valid && (!is_control(code) || code == '\n' || code == '\t' || line_end)) {
      out += character;
    } else {
      out += in_hex("\\x%02X", code);
    }
  }
  return out;
}

std::string terminal_json(std::string_view json) {
  std::string out;
  out.reserve(json.size());
  while (!json.empty()) {
    bool valid = false;
    const std::string_view character = first_of(json, valid);
    json.remove_prefix(character.size());
    const uint32_t code = code_point(character);
    if (valid && ((code >= 0x7F && code < 0xA0) || is_bidirectional(code))) {
      out += in_hex("\\u%04X", code);
    } else {
      out += character;
    }
  }
  return out;
}

}  // namespace warpshop
