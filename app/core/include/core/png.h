// PNG files taken apart (w3.org/TR/png-3): enough to tell whether a picture can be shown.
#pragma once

#include <string>
#include <string_view>

#include "core/result.h"

namespace warpshop {

struct PngParts {
  int width = 0, height = 0;  // pixels
  int channels = 0;           // 3: RGB, 4: RGBA
  std::string packed;         // its rows, filtered and packed by zlib
};

// 8 bits a channel, not interlaced. Error: another kind of file or of PNG, cut, or with a checksum that is wrong.
Result<PngParts> take_png_apart(std::string_view bytes);

}  // namespace warpshop
