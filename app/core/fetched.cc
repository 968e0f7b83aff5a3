#include "core/fetched.h"

#include "core/child_process.h"
#include "core/files.h"

namespace warpshop {

namespace fs = std::filesystem;

fs::path installed_prefix() {
  const fs::path folder = own_program().parent_path();
  if (folder.filename() != "bin") return {};  // build/tests is beside build/share, too
  const fs::path prefix = folder.parent_path();
  std::error_code error;
  return fs::is_directory(prefix / WARPSHOP_INSTALL_DATADIR, error) ? prefix : fs::path();
}

std::vector<fs::path> places_of_fetched(std::string_view name) {
  std::vector<fs::path> places;
  // cmake/install.cmake keeps the names of the cache's folders.
  if (const fs::path prefix = installed_prefix(); !prefix.empty())
    places.push_back(prefix / "lib" / "warpshop" / name);
  places.push_back(cache_dir() / name);
  return places;
}

std::string fetch_command(std::string_view name) {
  const fs::path prefix = installed_prefix();
  if (prefix.empty()) return "./start";
  return "python3 " + (prefix / WARPSHOP_INSTALL_DATADIR / "fetch.py").string() + " " +
         cache_dir().string() + " " + std::string(name);
}

}  // namespace warpshop
