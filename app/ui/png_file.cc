#include "png_file.h"

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
#include <stb_image_write.h>  // of GLFW's deps/
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace warpshop::ui {

Status write_png(const Picture& picture, const std::filesystem::path& file) {
  std::string bytes;
  auto append = [](void* to, void* data, int size) {
    static_cast<std::string*>(to)->append(static_cast<const char*>(data),
                                          static_cast<size_t>(size));
  };
  if (!stbi_write_png_to_func(append, &bytes, picture.width, picture.height, 4,
                              picture.rgba.data(), picture.width * 4)) {
    return make_error("picture", "the picture could not be encoded: " + file.string());
  }
  return write_file_atomically(file, bytes);
}

}  // namespace warpshop::ui
