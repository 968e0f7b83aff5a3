#include "cli/standard_descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warpshop::cli {
namespace {

// In a child, closes the descriptors 0 to 2 in the bit mask `closed` and calls
// open_standard_descriptors. Returns the number of the next descriptor opened.
int next_number_with_closed(int closed) {
  const pid_t child = ::fork();
  if (child == 0) {
    for (int fd = 0; fd <= 2; ++fd) {
      if ((closed >> fd & 1) != 0) ::close(fd);
    }
    open_standard_descriptors();
    for (int fd = 0; fd <= 2; ++fd) {
      if (::fcntl(fd, F_GETFD) < 0) ::_exit(100);
    }
    const int next = ::open("/dev/null", O_RDONLY);
    ::_exit(next);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

TEST(StandardDescriptors, EachOfTheThreeIsOpenAndNoOtherIsTaken) {
  const int usual = next_number_with_closed(0);
  for (int closed = 1; closed < 8; ++closed)
    EXPECT_EQ(next_number_with_closed(closed), usual) << closed;
}

}  // namespace
}  // namespace warpshop::cli
