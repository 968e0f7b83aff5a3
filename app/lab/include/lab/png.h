// Reads just enough of a PNG file to check whether it can be displayed (w3.org/TR/png-3).
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace warpshop::lab {

struct PngParts {
  int width = 0, height = 0;  // pixels
  int channels = 0;           // 3: RGB, 4: RGBA
  std::string packed;         // the rows, filtered and zlib-compressed
};

// Accepts 8 bits per channel, not interlaced. Error: not a PNG, an unsupported kind of PNG, a
// truncated file or a bad checksum.
Result<PngParts> take_png_apart(std::string_view bytes);

}  // namespace warpshop::lab
