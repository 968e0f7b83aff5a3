// The code of a large library in large pages: a copy of this process then starts with all of it in
// its page tables, instead of a page fault for every 64 KiB that it runs, and the processor needs
// fewer entries to find it. Addresses stay the same.
#pragma once

#include <cstdint>
#include <string>

namespace warpshop::compile {

inline constexpr uintptr_t kLargePage = uintptr_t{2}
                                        << 20;  // of x86-64 and arm64 with pages of 4 KiB

// Costs as much memory as the code, which is no longer shared with other programs. Does nothing
// where the system has no large pages or does not allow it. `library`: the file of a loaded one,
// without links in its path.
void put_code_in_large_pages(const std::string& library);

}  // namespace warpshop::compile
