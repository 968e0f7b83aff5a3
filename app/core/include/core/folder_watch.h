// Watches a folder for changes to its files. Watches the folder rather than a file because editors
// save by renaming. Source: inotify(7).
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace warpshop {

class FolderWatch {
 public:
  // `on_change` is called on the watch's own thread,
  // once per burst of changes (after 50 ms of quiet).
  explicit FolderWatch(std::function<void()> on_change);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  // Watches this folder instead of the previous one. A folder that does not exist yet cannot be
  // watched: call again once it does. Returns true if it is now watched.
  bool watch(const std::filesystem::path& folder);
  // Watches these folders instead; skips those that do not exist.
  void watch(const std::vector<std::filesystem::path>& folders);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace warpshop
