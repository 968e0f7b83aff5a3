// Makes the heap independent of everything allocated before, for compilations that can be repeated
// exactly. Some of NVRTC's passes order things by their addresses, so a kernel's code, its
// registers and its accesses to local memory depend on those: seen with NVRTC 13.0 and an array in
// local memory. nvrtc_server.cc puts the program's own memory at fixed addresses as well.
#pragma once

#include <cstddef>

namespace warpshop::compile {

// Steps at whose multiples the heap goes on: more than all that comes before.
inline constexpr size_t kBeforeJobs = size_t{256} << 20;  // of address space: the program, NVRTC
inline constexpr size_t kBeforeNvrtc = size_t{16} << 20;  // a job that has been read, a sandbox

// From now on large blocks are in the heap as well. To be called before NVRTC is loaded.
void keep_all_in_heap();

// Allocations that follow begin at a multiple of `step`, and none of them fills a hole below. The
// first `large` bytes come in large pages where the system has them, at the same addresses.
void settle_heap(size_t step, size_t large = 0);

// More than NVRTC allocates for most texts. Large pages halve its page faults, and save 5% of the
// processor time of a short text.
inline constexpr size_t kLargePages = size_t{32} << 20;

// After a fork each page is copied when it is first written: sooner for those that the heap uses,
// while nobody waits.
void copy_heap_pages();

}  // namespace warpshop::compile
