#include "cli/standard_descriptors.h"

#include <fcntl.h>
#include <unistd.h>

namespace warpshop::cli {

void open_standard_descriptors() {
  // open(2) returns the lowest free number.
  int file = ::open("/dev/null", O_RDWR);
  while (file >= 0 && file <= 2) file = ::open("/dev/null", O_RDWR);
  if (file > 2) ::close(file);
}

}  // namespace warpshop::cli
