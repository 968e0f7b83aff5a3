#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>

#include "beneath_parts.h"
#include "core/beneath.h"

namespace warpshop {
namespace {

namespace fs = std::filesystem;

// From linux/openat2.h, which the build's headers may be too old to have. The number is the same on
// every architecture.
constexpr long kOpenat2 = 437;
struct OpenHow {
  uint64_t flags;
  uint64_t mode;
  uint64_t resolve;
};
constexpr uint64_t kNoMagicLinks = 0x02;
constexpr uint64_t kNoSymlinks = 0x04;
constexpr uint64_t kBeneath = 0x08;

}  // namespace

Descriptor open_beneath(int folder, const fs::path& relative, int flags) {
  const OpenHow how{static_cast<uint64_t>(flags | O_CLOEXEC), 0,
                    kBeneath | kNoSymlinks | kNoMagicLinks};
  for (int tries = 0;; ++tries) {
    Descriptor file(
        static_cast<int>(::syscall(kOpenat2, folder, relative.c_str(), &how, sizeof how)));
    if (file.is_open()) return file;
    // Kernels before Linux 5.6, and filters that forbid openat2.
    if (errno == ENOSYS || errno == EPERM) return open_part_by_part(folder, relative, flags);
    // EAGAIN: something was renamed in the meantime, see openat2(2).
    if (errno != EINTR && (errno != EAGAIN || tries >= 100)) return {};
  }
}

}  // namespace warpshop
