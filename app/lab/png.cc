#include "lab/png.h"

#include <cstdint>
#include <string>
#include <utility>

#include "core/crc32.h"

namespace warpshop::lab {
namespace {

uint32_t big_endian(std::string_view bytes) {
  uint32_t value = 0;
  for (const char byte : bytes.substr(0, 4)) value = value << 8 | static_cast<unsigned char>(byte);
  return value;
}

Diagnostic broken(std::string how) { return make_error("png", std::move(how)); }

}  // namespace

Result<PngParts> take_png_apart(std::string_view bytes) {
  if (!bytes.starts_with("\x89PNG\r\n\x1a\n")) return broken("not a PNG file");
  bytes.remove_prefix(8);
  PngParts out;
  bool ended = false;
  while (!ended) {
    if (bytes.size() < 12) return broken("the file is truncated");
    const size_t length = big_endian(bytes);
    if (bytes.size() - 12 < length) return broken("the file is truncated");
    const std::string_view kind = bytes.substr(4, 4), chunk = bytes.substr(8, length);
    if (crc32(bytes.substr(4, 4 + length)) != big_endian(bytes.substr(8 + length))) {
      return broken("the file has a wrong checksum");
    }
    if (kind == "IHDR" && length == 13) {
      const uint32_t width = big_endian(chunk), height = big_endian(chunk.substr(4));
      if (width == 0 || height == 0 || width > 1 << 14 || height > 1 << 14) {
        return broken("unsupported image size: " + std::to_string(width) + " × " +
                      std::to_string(height));
      }
      out.width = static_cast<int>(width);
      out.height = static_cast<int>(height);
      out.channels = chunk[9] == 6 ? 4 : chunk[9] == 2 ? 3 : 0;
      if (chunk[8] != 8 || chunk[12] != 0 || out.channels == 0) {
        return broken("only 8-bit RGB or RGBA without interlacing is supported");
      }
    } else if (kind == "IDAT") {
      out.packed += chunk;
    }
    ended = kind == "IEND";
    bytes.remove_prefix(12 + length);
  }
  if (out.channels == 0 || out.packed.size() < 2) return broken("the file contains no image data");
  return out;
}

}  // namespace warpshop::lab
