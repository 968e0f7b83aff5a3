#include "core/process_limits.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace warpshop {

uint64_t address_space_bytes() {
  std::ifstream statm("/proc/self/statm");
  uint64_t pages = 0;
  statm >> pages;
  return pages * static_cast<uint64_t>(::sysconf(_SC_PAGESIZE));
}

std::optional<uint64_t> limit_process(int what, uint64_t soft, uint64_t hard) {
  const auto resource = static_cast<__rlimit_resource_t>(what);
  rlimit now{};
  if (::getrlimit(resource, &now) != 0) return std::nullopt;
  now.rlim_max = std::min<rlim_t>(now.rlim_max, hard);
  now.rlim_cur = std::min<rlim_t>(now.rlim_max, soft);
  if (::setrlimit(resource, &now) != 0) return std::nullopt;
  return now.rlim_cur;
}

}  // namespace warpshop
