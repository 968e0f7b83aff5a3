// A text that NVRTC 13.0 compiles in several ways, depending on where its own objects lie.
#pragma once

#include <sys/personality.h>

namespace warpshop {

// With 25 to 28 registers, and different accesses to local memory.
inline constexpr const char* kCodeThatVaries =
    "__global__ void digits(const unsigned* in, unsigned* out, int n) {\n"
    "  const int i = blockIdx.x * 256 + threadIdx.x;\n  if (i >= n) return;\n"
    "  unsigned count[16] = {};\n"
    "  for (int k = 0; k < 32; ++k) ++count[in[k * n + i] % 16];\n  unsigned most = 0;\n"
    "  for (int d = 0; d < 16; ++d) most = max(most, count[d]);\n  out[i] = most;\n}\n";

// False where the system, a container's for example, refuses what the compiler's process asks for,
// and with a sanitizer, whose heap is its own.
inline bool addresses_can_be_fixed() {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  return false;
#endif
  const int now = ::personality(0xffffffff);
  const int result = ::personality(static_cast<unsigned long>(now) |
                                   static_cast<unsigned long>(ADDR_NO_RANDOMIZE));
  ::personality(static_cast<unsigned long>(now));
  return now >= 0 && result >= 0;
}

}  // namespace warpshop
