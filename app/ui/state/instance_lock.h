// Numbers the windows that share the same work. Each window holds a lock file in the data folder
// during its lifetime, so that others know of it; a crash releases the lock. No drawing.
//
//   user_dir()/window.lock     the first window; contains its process: "4711 host"
//   user_dir()/window-2.lock   the second, and so on
//
// The lock ends with its process, however it ends (file_lock.h).
#pragma once

#include <filesystem>
#include <string>

namespace warpshop::ui {

class InstanceLock {
 public:
  InstanceLock() = default;
  ~InstanceLock();
  InstanceLock(const InstanceLock&) = delete;
  InstanceLock& operator=(const InstanceLock&) = delete;

  // Takes the first free number, returned by window() from then on: 1 if no other window uses the
  // folder, and also if the folder is not writable or its file system has no locks.
  void take(const std::filesystem::path& folder);
  int window() const { return window_; }
  // The process of the first window: "4711 host"; empty if it is this one.
  const std::string& first() const { return first_; }

 private:
  int fd_ = -1;
  int window_ = 1;
  std::string first_;
};

// Recovers unsaved edits of other windows that crashed: moves them to where the
// first window finds them, or, if it has unsaved edits of its own, into the
// history beside the other versions. Does not touch running windows. Called by
// the first window when it starts. Returns the number of texts found.
int gather_unsaved(const std::filesystem::path& folder);

}  // namespace warpshop::ui
