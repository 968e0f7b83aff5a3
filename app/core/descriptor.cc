#include "core/descriptor.h"

#include <unistd.h>

namespace warpshop {

void close_descriptors_from(int first) {
  if (::close_range(static_cast<unsigned>(first), ~0U, 0) == 0) return;
  const long most = ::sysconf(_SC_OPEN_MAX);  // Linux before 5.9
  for (int fd = first; fd < most; ++fd) ::close(fd);
}

}  // namespace warpshop
