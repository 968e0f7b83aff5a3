// The rules for pictures of labs' texts, which the loader checks, the window draws and reports embed.
#pragma once

#include <filesystem>
#include <string>

namespace warpshop {

// Files are drawn for 200%: at 100% a picture is half as wide as its file.
inline constexpr int kPicturePixels = 2;

// Is a picture of that name, as a text gives it, in the lab's own folder?
inline bool is_in_folder(const std::string& name) {
  return !name.empty() && !std::filesystem::path(name).is_absolute() && name.find("..") == std::string::npos &&
         name.find(':') == std::string::npos;
}

// NAME-dark.png for NAME.png: the one for dark grounds, which may stand beside it.
inline std::filesystem::path for_dark_ground(std::filesystem::path file) {
  file.replace_filename(file.stem().string() + "-dark" + file.extension().string());
  return file;
}

}  // namespace warpshop
