#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <utility>

#include "memory/mapping.h"

namespace warpshop::emulator {
namespace {

constexpr uint64_t kPage = 4096;
constexpr uint64_t kSmallestMapping = uint64_t{4} << 20;
constexpr uint64_t kLargePage = uint64_t{2} << 20;
// Larger buffers do not use large pages, since a sampled kernel touches little of them.
constexpr uint64_t kMostInLargePages = uint64_t{64} << 20;

uint64_t whole_pages(uint64_t value, uint64_t page) { return (value + page - 1) / page * page; }

void* reserved(uint64_t size_bytes) {
  void* at = ::mmap(nullptr, size_bytes, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return at == MAP_FAILED ? nullptr : at;
}

// Repeats a short pattern in the file: a process can only have some ten thousand mappings. Returns
// the file's size; 0: no space left.
uint64_t lay_down(int file, std::span<const uint8_t> pattern, uint64_t size_bytes) {
  uint64_t laid_down = 0;
  do {
    for (uint64_t done = 0; done < pattern.size();) {
      const ssize_t n = ::write(file, pattern.data() + done, pattern.size() - done);
      if (n <= 0) return 0;
      done += static_cast<uint64_t>(n);
    }
    laid_down += pattern.size();
  } while (laid_down < std::min(size_bytes, kSmallestMapping));
  return laid_down;
}

}  // namespace

std::unique_ptr<Mapping> Mapping::in_large_pages(uint64_t size_bytes) {
  if (size_bytes < kLargePage || size_bytes > kMostInLargePages) return nullptr;
  const uint64_t used = whole_pages(size_bytes + 64, kLargePage);
  void* at = reserved(used + kLargePage);
  if (at == nullptr) return nullptr;
  auto* start =
      reinterpret_cast<uint8_t*>(whole_pages(reinterpret_cast<uintptr_t>(at), kLargePage));
  ::madvise(start, used, MADV_HUGEPAGE);  // only a hint
  return std::make_unique<Mapping>(at, used + kLargePage, start);
}

std::unique_ptr<Mapping> Mapping::repeating(uint64_t size_bytes, std::span<const uint8_t> pattern) {
  const int file = ::memfd_create("warpshop buffer", MFD_CLOEXEC);
  if (file < 0) return nullptr;
  const uint64_t laid_down = lay_down(file, pattern, size_bytes);
  // One extra page: handlers may read a little past the end.
  const uint64_t size = whole_pages(size_bytes, kPage) + kPage;
  void* at = laid_down == 0 ? nullptr : reserved(size);
  if (at == nullptr) {
    ::close(file);
    return nullptr;
  }
  auto* data = static_cast<uint8_t*>(at);
  auto out = std::make_unique<Mapping>(at, size, data);
  bool mapped = true;
  for (uint64_t offset = 0; offset < size_bytes && mapped; offset += laid_down) {
    const uint64_t part = whole_pages(std::min<uint64_t>(laid_down, size_bytes - offset), kPage);
    mapped = ::mmap(data + offset, part, PROT_READ | PROT_WRITE,
                    MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE, file, 0) != MAP_FAILED;
  }
  ::close(file);
  return mapped ? std::move(out) : nullptr;
}

Mapping::~Mapping() { ::munmap(at_, size_bytes_); }

}  // namespace warpshop::emulator
