// Reads PNG files (w3.org/TR/png-3): figures in lab texts, and reference pictures of tests.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "window/png_file.h"

namespace warpshop::ui {

// 8-bit RGB or RGBA, not interlaced: the output of write_png, also after a PNG optimizer. Empty
// (width 0) if the file is missing, truncated or of another kind.
Picture read_png(const std::filesystem::path& file);

// Decompresses a deflate stream (RFC 1951); returns fewer than `size` bytes if it is corrupt.
std::string inflate(std::string_view packed, size_t size);

}  // namespace warpshop::ui
