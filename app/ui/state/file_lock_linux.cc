// Source: flock(2).
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>

#include "state/file_lock.h"

namespace warpshop::ui {

int open_locked(const std::filesystem::path& file) {
  const int fd = ::open(file.c_str(), O_RDWR | O_CLOEXEC | O_CREAT, 0644);
  if (fd < 0) return -1;
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  const int code = errno;
  ::close(fd);
  errno = code;
  return -1;
}

}  // namespace warpshop::ui
