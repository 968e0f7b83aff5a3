#include "large_pages.h"

#include <sys/mman.h>

#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <vector>

namespace warpshop::compile {
namespace {

struct Range {
  uintptr_t begin = 0, end = 0;
};

// Linux's Documentation/admin-guide/mm/transhuge.rst: "always [madvise] never".
bool has_large_pages() {
  std::ifstream file("/sys/kernel/mm/transparent_hugepage/enabled");
  std::string modes;
  std::getline(file, modes);
  return !modes.empty() && modes.find("[never]") == std::string::npos;
}

// What the library runs, without the edges that fill no large page: proc_pid_maps(5).
std::vector<Range> code_of(const std::string& library) {
  std::vector<Range> found;
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t begin = 0, end = 0;
    if (!line.ends_with(" " + library) || line.find(" r-xp ") == std::string::npos ||
        std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2)
      continue;
    const Range whole{(begin + kLargePage - 1) / kLargePage * kLargePage,
                      end / kLargePage * kLargePage};
    if (whole.begin < whole.end) found.push_back(whole);
  }
  return found;
}

void put_in_large_pages(const Range& code) {
  const size_t bytes = code.end - code.begin;
  void* const room = ::mmap(nullptr, bytes + kLargePage, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (room == MAP_FAILED) return;
  const auto first = reinterpret_cast<uintptr_t>(room);
  const uintptr_t aligned = (first + kLargePage - 1) / kLargePage * kLargePage;
  void* const copy = reinterpret_cast<void*>(aligned);
  void* const place = reinterpret_cast<void*>(code.begin);
  // The last step replaces all at once.
  const bool done = ::madvise(copy, bytes, MADV_HUGEPAGE) == 0 &&
                    std::memcpy(copy, place, bytes) == copy &&
                    ::mprotect(copy, bytes, PROT_READ | PROT_EXEC) == 0 &&
                    ::mremap(copy, bytes, bytes, MREMAP_MAYMOVE | MREMAP_FIXED, place) == place;
  if (!done) ::munmap(copy, bytes);
  ::munmap(room, aligned - first);
  ::munmap(reinterpret_cast<void*>(aligned + bytes), first + kLargePage - aligned);
}

}  // namespace

void put_code_in_large_pages(const std::string& library) {
  if (!has_large_pages()) return;
  for (const Range& code : code_of(library)) put_in_large_pages(code);
}

}  // namespace warpshop::compile
