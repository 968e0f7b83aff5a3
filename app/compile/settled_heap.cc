#include "settled_heap.h"

#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cinttypes>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "large_pages.h"

namespace warpshop::compile {
namespace {

uintptr_t g_gap = 0, g_gap_end = 0;  // never used

// Until all free blocks of this size that lie below `start` are taken; they are never returned.
// The last one, which lies above it.
[[maybe_unused]] uintptr_t take_blocks_below(uintptr_t start, size_t bytes) {
  for (;;) {
    void* block = std::malloc(bytes);
    asm volatile("" : "+r"(block));  // or the compiler leaves the allocation out
    const auto place = reinterpret_cast<uintptr_t>(block);
    if (block == nullptr || place >= start) return place;
  }
}

}  // namespace

void keep_all_in_heap() {
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest that mallopt(3) takes
  ::mallopt(M_TRIM_THRESHOLD, 1 << 30);
}

void settle_heap(size_t step, size_t large) {
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // they have heaps of their own
  // The heap grows by this much at once, so that there is something to advise on.
  if (large > 0) ::mallopt(M_TOP_PAD, static_cast<int>(large));
  const auto now = reinterpret_cast<uintptr_t>(::sbrk(0));
  const uintptr_t start = (now + step - 1) / step * step;
  if (::sbrk(static_cast<intptr_t>(start - now)) == reinterpret_cast<void*>(-1)) return;
  g_gap = now;
  g_gap_end = start;
  // glibc keeps small free blocks by their exact size, up to 1032 bytes, and splits large ones.
  uintptr_t last = start;
  for (size_t bytes = size_t{1} << 20; bytes > 1032; bytes /= 2)
    last = std::max(last, take_blocks_below(start, bytes));
  for (size_t bytes = 1032; bytes >= 24; bytes -= 16)
    last = std::max(last, take_blocks_below(start, bytes));
  if (large == 0) return;
  ::madvise(reinterpret_cast<void*>(start), large, MADV_HUGEPAGE);
  // Where the blocks end, small pages are in use already. The others up to the next large page are
  // needed soon.
  const uintptr_t page = static_cast<uintptr_t>(::sysconf(_SC_PAGESIZE));
  const uintptr_t from = (last + page - 1) / page * page;
  const uintptr_t to = (last + kLargePage - 1) / kLargePage * kLargePage;
  if (from < to) ::madvise(reinterpret_cast<void*>(from), to - from, MADV_POPULATE_WRITE);
#else
  (void)step, (void)large;
#endif
}

void copy_heap_pages() {
  const auto copy = [](uintptr_t from, uintptr_t to) {
    if (from < to) ::madvise(reinterpret_cast<void*>(from), to - from, MADV_POPULATE_WRITE);
  };
  std::ifstream maps("/proc/self/maps");
  for (std::string line; std::getline(maps, line);) {
    uintptr_t from = 0, to = 0;
    if (!line.ends_with("[heap]") ||
        std::sscanf(line.c_str(), "%" SCNxPTR "-%" SCNxPTR, &from, &to) != 2)
      continue;
    copy(from, std::min(to, g_gap == 0 ? to : g_gap));
    copy(std::max(from, g_gap_end), g_gap == 0 ? 0 : to);
  }
}

}  // namespace warpshop::compile
