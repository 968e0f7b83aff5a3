// Reads PNG files (w3.org/TR/png-3): figures of labs' texts, and pictures that tests keep.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "window/png_file.h"

namespace warpshop::ui {

// 8-bit RGB or RGBA, not interlaced: what write_png writes and what those make of it that pack
// pictures tighter. Empty (width 0): the file is missing, cut, or another kind.
Picture read_png(const std::filesystem::path& file);

// The deflate stream of RFC 1951 unpacked; less than `size` bytes where it is broken.
std::string inflate(std::string_view packed, size_t size);

}  // namespace warpshop::ui
