// The other tabs have copies of the files: the page holds the locks (navigator.locks), and names
// those of other tabs in $WARPSHOP_LOCKED before the program starts: "window.lock window-2.lock".
#include <fcntl.h>

#include <cerrno>
#include <cstdlib>
#include <sstream>
#include <string>

#include "state/file_lock.h"

namespace warpshop::ui {

int open_locked(const std::filesystem::path& file) {
  const char* locked = std::getenv("WARPSHOP_LOCKED");
  std::istringstream names(locked ? locked : "");
  for (std::string name; names >> name;) {
    if (name != file.filename()) continue;
    errno = EWOULDBLOCK;
    return -1;
  }
  return ::open(file.c_str(), O_RDWR | O_CREAT, 0644);
}

}  // namespace warpshop::ui
