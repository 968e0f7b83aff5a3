// Which of the windows on the same work this one is. A window holds a lock file of the data folder
// for as long as it lives, so that another one knows of it; what a crash leaves behind holds
// nothing. No drawing.
//
//   user_dir()/window.lock     the first window: "4711 host", its process
//   user_dir()/window-2.lock   the second, and so on
//
// Source: flock(2). The system gives the lock back when the process ends, however it ends.
#pragma once

#include <filesystem>
#include <string>

namespace warpshop::ui {

class InstanceLock {
 public:
  static constexpr int kMostWindows = 9;

  InstanceLock() = default;
  ~InstanceLock();
  InstanceLock(const InstanceLock&) = delete;
  InstanceLock& operator=(const InstanceLock&) = delete;

  // Takes the first free place, which window() then is: 1 where no other window works in the
  // folder, and also where nothing can be written there or the file system has no locks.
  void take(const std::filesystem::path& folder);
  int window() const { return window_; }
  // Who has the first place: "4711 host"; empty where it is this window.
  const std::string& first() const { return first_; }

 private:
  int fd_ = -1;
  int window_ = 1;
  std::string first_;
};

// Edits that a crashed second window had not saved: they are put where the first window finds them,
// or, where that has unsaved edits of its own, into the history beside the other versions. Windows
// that live are left alone. Called by the first window when it starts. Returns how many texts were
// found.
int gather_unsaved(const std::filesystem::path& folder);

}  // namespace warpshop::ui
