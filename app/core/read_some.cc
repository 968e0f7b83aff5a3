#include "core/read_some.h"

#include <unistd.h>

#include <cerrno>

namespace warpshop {

bool read_some(int fd, std::string& text) {
  char buffer[65536];
  ssize_t got = 0;
  do {
    got = ::read(fd, buffer, sizeof buffer);
  } while (got < 0 && errno == EINTR);
  if (got > 0) text.append(buffer, static_cast<size_t>(got));
  return got > 0;
}

}  // namespace warpshop
