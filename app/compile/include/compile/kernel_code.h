// The machine code of a kernel in a cubin, instruction by instruction, with the PTX line that each came from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warpshop::compile {

// Compute capability 7.0 and newer: 16 bytes an instruction (Jia et al., "Dissecting the NVIDIA Volta GPU
// Architecture via Microbenchmarking", 2018, section 2).
struct KernelCode {
  struct Instruction {
    uint64_t low = 0;   // bits 0 to 63
    uint64_t high = 0;  // bits 64 to 127
    int ptx_line = 0;   // in the PTX text, from 1; 0: unknown
  };
  std::vector<Instruction> instructions;  // in the order of their addresses: 16 bytes each
};

// `kernel` is its name in the PTX. Lines come from .nv_debug_line_sass, which -lineinfo makes. Error: the cubin
// is damaged or has no such kernel.
Result<KernelCode> read_kernel_code(const std::vector<uint8_t>& cubin, std::string_view kernel);

}  // namespace warpshop::compile
