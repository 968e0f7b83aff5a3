// How much of each memory a program may ask for. A kernel's text can declare a terabyte in a line: what no chip has
// is refused here, with its place, before anything is laid out or allocated.
#pragma once

#include <cstdint>
#include <vector>

#include "core/diagnostic.h"
#include "ptx/module.h"

namespace warpshop::emulator {

// Bytes. Constant memory: eleven banks of 64 KiB, PTX ISA §5.1.3. Kernel parameters: PTX ISA §5.1.6.1. Shared and local
// memory have a limit of the machine, too, which the launch checks; these are far above every machine's, so that sums
// stay in 32 bits. The others are the emulator's own: a warp's registers as many as fit into the local memory of its
// threads, to which a chip would spill them.
inline constexpr uint64_t kMostConstBytes = 11 * 64 * 1024;
inline constexpr uint64_t kMostKernelParamBytes = 32764;
inline constexpr uint64_t kMostSharedBytes = uint64_t{1} << 30;
inline constexpr uint64_t kMostLocalBytes = uint64_t{1} << 26;
inline constexpr uint64_t kMostFrameParamBytes = uint64_t{1} << 20;
inline constexpr uint64_t kMostGlobalBytes = uint64_t{1} << 29;
inline constexpr uint64_t kMostRegisterBytes = uint64_t{1} << 24;
// Registers of a chain of calls.
inline constexpr uint64_t kMostRegisterStackBytes = uint64_t{1} << 26;

// Puts variables one behind the other, each at its alignment.
class Placer {
 public:
  uint64_t place(const ptx::Variable& v) {
    const uint64_t align = v.align_bytes == 0 ? 1 : v.align_bytes;
    const uint64_t at = (end_ + align - 1) / align * align;
    end_ = at + v.size_bytes;
    return at;
  }
  uint64_t end() const { return end_; }

 private:
  uint64_t end_ = 0;
};

// What the module's variables and those of the reached functions (the kernel first) ask for in vain.
void check_sizes(const ptx::Module& module, const std::vector<int>& reached, Diagnostics& problems);

}  // namespace warpshop::emulator
