// Limits on the memory that a program may declare. One line of a kernel can declare a terabyte:
// sizes beyond any chip are rejected here, with their place, before anything is laid out or
// allocated.
#pragma once

#include <cstdint>
#include <vector>

#include "core/diagnostic.h"
#include "ptx/module.h"

namespace warpshop::emulator {

// Bytes. Constant memory: eleven banks of 64 KiB, PTX ISA §5.1.3. Kernel parameters: PTX ISA
// §5.1.6.1. Shared and local memory are also limited by the machine, which the launch checks; these
// limits are far above every machine's and keep sums in 32 bits. The others are the emulator's own:
// a warp's registers are limited by its threads' local memory, to which a chip would spill them.
inline constexpr uint64_t kMostConstBytes = 11 * 64 * 1024;
inline constexpr uint64_t kMostKernelParamBytes = 32764;
inline constexpr uint64_t kMostSharedBytes = uint64_t{1} << 30;
inline constexpr uint64_t kMostLocalBytes = uint64_t{1} << 26;
inline constexpr uint64_t kMostFrameParamBytes = uint64_t{1} << 20;
inline constexpr uint64_t kMostGlobalBytes = uint64_t{1} << 29;
inline constexpr uint64_t kMostRegisterBytes = uint64_t{1} << 24;
// Registers of a chain of calls.
inline constexpr uint64_t kMostRegisterStackBytes = uint64_t{1} << 26;

// Places variables one after the other, each at its alignment.
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

// Reports sizes over the limit among variables of the module and of reached functions (kernel
// first).
void check_sizes(const ptx::Module& module, const std::vector<int>& reached, Diagnostics& problems);

}  // namespace warpshop::emulator
