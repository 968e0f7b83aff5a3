// Writes pictures as PNG files.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/result.h"

namespace warpshop::ui {

// Rows from the top, 8-bit RGBA.
struct Picture {
  int width = 0;
  int height = 0;
  std::vector<uint8_t> rgba;
};

// Crops to the part of the rectangle that lies inside the picture.
Picture crop(const Picture& picture, int x, int y, int width, int height);

Status write_png(const Picture& picture, const std::filesystem::path& file);

}  // namespace warpshop::ui
