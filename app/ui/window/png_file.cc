#include "window/png_file.h"

#include <algorithm>
#include <string>

#include "core/files.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wold-style-cast"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#endif
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#include <stb_image_write.h>  // from GLFW's deps/
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace warpshop::ui {

Picture crop(const Picture& picture, int x, int y, int width, int height) {
  const int left = std::clamp(x, 0, picture.width), top = std::clamp(y, 0, picture.height);
  Picture out;
  out.width = std::clamp(x + width, left, picture.width) - left;
  out.height = std::clamp(y + height, top, picture.height) - top;
  out.rgba.reserve(static_cast<size_t>(out.width) * static_cast<size_t>(out.height) * 4);
  for (int row = 0; row < out.height; ++row) {
    const size_t from = (static_cast<size_t>(top + row) * static_cast<size_t>(picture.width) +
                         static_cast<size_t>(left)) *
                        4;
    out.rgba.insert(
        out.rgba.end(), picture.rgba.begin() + static_cast<ptrdiff_t>(from),
        picture.rgba.begin() + static_cast<ptrdiff_t>(from + static_cast<size_t>(out.width) * 4));
  }
  return out;
}

Status write_png(const Picture& picture, const std::filesystem::path& file) {
  std::string bytes;
  auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                          static_cast<size_t>(size));
  };
  if (!stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 4, picture.rgba.data(),
                              picture.width * 4)) {
    return make_error("picture", "the picture could not be encoded: " + file.string());
  }
  return write_file_atomically(file, bytes);
}

}  // namespace warpshop::ui
