// A kernel's machine code from a cubin, one instruction at a time, with the PTX line of each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/result.h"

namespace warpshop::compile {

// Compute capability 7.0 and newer: 16 bytes per instruction (Jia et al., "Dissecting the NVIDIA
// Volta GPU Architecture via Microbenchmarking", 2018, section 2).
struct KernelCode {
  struct Instruction {
    uint64_t low = 0;   // bits 0 to 63
    uint64_t high = 0;  // bits 64 to 127
    int ptx_line = 0;   // in the PTX text, from 1; 0: unknown
  };
  std::vector<Instruction> instructions;  // by address, 16 bytes apart
};

// `kernel` is the name in the PTX. Lines come from .nv_debug_line_sass, which -lineinfo adds.
// Error: the cubin is damaged or has no such kernel.
Result<KernelCode> read_kernel_code(const std::vector<uint8_t>& cubin, std::string_view kernel);

}  // namespace warpshop::compile
