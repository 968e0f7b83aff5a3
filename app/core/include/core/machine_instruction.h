// A GPU's machine instruction as compiled, for compute capability 7.0 and newer: 16 bytes (Jia et
// al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018, section 2).
#pragma once

#include <cstdint>

namespace warpshop {

struct MachineInstruction {
  uint64_t low = 0;   // bits 0 to 63
  uint64_t high = 0;  // bits 64 to 127
  int ptx_line = 0;   // in the PTX text, from 1; 0: unknown
};

}  // namespace warpshop
