// The page's files are its own: no other program changes them.
#include "core/folder_watch.h"

namespace warpshop {

struct FolderWatch::State {};

FolderWatch::FolderWatch(std::function<void()>) {}
FolderWatch::~FolderWatch() = default;
bool FolderWatch::watch(const std::filesystem::path& folder) {
  std::error_code ignored;
  return std::filesystem::is_directory(folder, ignored);
}
void FolderWatch::watch(const std::vector<std::filesystem::path>&) {}

}  // namespace warpshop
