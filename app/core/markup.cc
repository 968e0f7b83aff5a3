#include "core/markup.h"

#include "core/utf8.h"

namespace warpshop {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    text.remove_prefix(character.size());
    const char c = character[0];
    if (length == 0 || character == "\uFFFE" || character == "\uFFFF") {
      out += "\uFFFD";
    } else if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\'') {
      out += "&#39;";
    } else if (c == '\r') {
      continue;
    } else if (static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n') {
      out += "\uFFFD";
    } else {
      out += character;
    }
  }
  return out;
}

}  // namespace warpshop
