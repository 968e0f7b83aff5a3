// The folder in which people look for files made for them.
#pragma once

#include <filesystem>

namespace warpshop {

// The desktop's folder for downloads, or the home folder if there is none.
std::filesystem::path downloads_dir();

}  // namespace warpshop
