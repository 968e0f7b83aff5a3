#include "core/markup.h"

namespace warpshop {

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      case '\t':
      case '\n': out += c; break;
      case '\r': break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          out += "\uFFFD";
        } else {
          out += c;
        }
    }
  }
  return out;
}

}  // namespace warpshop
