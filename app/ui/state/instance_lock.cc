#include "state/instance_lock.h"

#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "core/files.h"
#include "core/utc.h"
#include "lab/workspace.h"
#include "state/file_lock.h"

namespace warpshop::ui {
namespace {

namespace fs = std::filesystem;

fs::path lock_file(const fs::path& folder, int window) {
  return folder / (window == 1 ? "window.lock" : "window-" + std::to_string(window) + ".lock");
}

std::string line_in(const fs::path& file) {
  const Result<std::string> text = read_file(file);
  if (!text.ok()) return {};
  return text->substr(0, text->find('\n'));
}

std::string this_process() {
  char host[256] = {};
  if (::gethostname(host, sizeof host - 1) != 0) host[0] = '\0';
  return std::to_string(::getpid()) + " " + host;
}

}  // namespace

InstanceLock::~InstanceLock() {
  if (fd_ < 0) return;
  // Only informative: the lock, not the text, shows whether a process holds the file.
  [[maybe_unused]] const int emptied = ::ftruncate(fd_, 0);
  ::close(fd_);
}

void InstanceLock::take(const fs::path& folder) {
  std::error_code ignored;
  fs::create_directories(folder, ignored);
  for (int window = 1; window <= lab::kMostWindows; ++window) {
    const fs::path file = lock_file(folder, window);
    const int fd = open_locked(file);
    if (fd < 0 && errno == EWOULDBLOCK) {
      if (window == 1) first_ = line_in(file);
      window_ = window + 1;
      continue;
    }
    // If the folder is not writable, nothing can be overwritten in it either.
    if (fd < 0) {
      window_ = 1;
      first_.clear();
      return;
    }
    fd_ = fd;
    window_ = window;
    const std::string text = this_process() + "\n";
    if (::ftruncate(fd, 0) == 0) {
      [[maybe_unused]] const auto written = ::write(fd, text.data(), text.size());
    }
    return;
  }
}

int gather_unsaved(const fs::path& folder) {
  int found = 0;
  for (int window = 2; window <= lab::kMostWindows; ++window) {
    const fs::path from = folder / ("autosave-" + std::to_string(window));
    std::error_code error;
    if (!fs::is_directory(from, error)) continue;
    const int fd = open_locked(lock_file(folder, window));
    if (fd < 0) continue;
    for (fs::recursive_directory_iterator at(from, error), end; !error && at != end;
         at.increment(error)) {
      std::error_code ignored;
      if (!at->is_regular_file(ignored) || at->path().extension() != ".cu") continue;
      const fs::path place = at->path().lexically_relative(from);
      fs::path to = folder / "autosave" / place;
      if (fs::exists(to, ignored)) {
        to = folder / "history" / place.parent_path() /
             (place.stem().string() + "-" + utc_now("%Y%m%d-%H%M%S") + "-window-" +
              std::to_string(window) + ".cu");
      }
      const Result<std::string> text = read_file(at->path());
      if (!text.ok() || !write_file_atomically(to, *text).ok()) continue;
      fs::remove(at->path(), ignored);
      ++found;
    }
    ::close(fd);
  }
  return found;
}

}  // namespace warpshop::ui
