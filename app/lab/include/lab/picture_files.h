// Rules for pictures in lab texts, shared by the loader (which checks them), the window and the
// reports.
#pragma once

#include <filesystem>
#include <string>

namespace warpshop::lab {

// Picture files are made for 200% scale: at 100% a picture is half as wide as its file.
inline constexpr int kPicturePixels = 2;

// True if `name`, as written in a lab text, refers to a picture inside the lab's own folder.
inline bool is_in_folder(const std::string& name) {
  return !name.empty() && !std::filesystem::path(name).is_absolute() &&
         name.find("..") == std::string::npos && name.find(':') == std::string::npos;
}

// NAME-dark.png for NAME.png: an optional variant for dark backgrounds.
inline std::filesystem::path for_dark_ground(std::filesystem::path file) {
  file.replace_filename(file.stem().string() + "-dark" + file.extension().string());
  return file;
}

}  // namespace warpshop::lab
