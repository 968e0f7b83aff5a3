// Notices when files of a folder change. The folder is watched, not the file: editors save by
// rename. Source: inotify(7).
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warpshop::ui {

class FolderWatch {
 public:
  // `on_change` is called on the watch's own thread, once for a burst of changes (50 ms of quiet).
  explicit FolderWatch(std::function<void()> on_change);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Watches this folder instead of the one before. A folder that does not exist yet is not watched:
  // call again once it does. Returns whether it is watched now.
  bool watch(const std::filesystem::path& folder);
  // These instead; those that do not exist are passed over.
  void watch(const std::vector<std::filesystem::path>& folders);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpshop::ui
