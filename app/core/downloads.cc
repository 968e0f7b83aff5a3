#include "core/downloads.h"

#include <string>
#include <string_view>

#include "core/files.h"

namespace warpshop {

std::filesystem::path downloads_dir() {
  namespace fs = std::filesystem;
  const fs::path home = path_as_typed("~");
  fs::path folder = home / "Downloads";
  // Lines like XDG_DOWNLOAD_DIR="$HOME/Downloads": xdg-user-dirs.
  constexpr std::string_view kKey = "XDG_DOWNLOAD_DIR=\"", kHome = "$HOME/";
  const Result<std::string> places = read_file(config_base() / "user-dirs.dirs");
  const size_t key = places.ok() ? places->find(kKey) : std::string::npos;
  if (key != std::string::npos) {
    const size_t from = key + kKey.size();
    const std::string named = places->substr(from, places->find('"', from) - from);
    folder = named.starts_with(kHome) ? home / named.substr(kHome.size()) : fs::path(named);
  }
  std::error_code ignored;
  return folder.is_absolute() && fs::is_directory(folder, ignored) ? folder : home;
}

}  // namespace warpshop
