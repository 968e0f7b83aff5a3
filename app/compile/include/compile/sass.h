// The machine code of a cubin as text, by NVIDIA's nvdisasm. It is no part of the program: ./start brings it, a CUDA
// Toolkit has it.
// https://docs.nvidia.com/cuda/cuda-binary-utilities/#nvdisasm
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/result.h"
#include "core/stop.h"

namespace warpshop::compile {

struct SassLine {
  std::string text;     // "IMAD R6, R7, R0, R5 ;", with its guard; of a label "L_x_3:"
  int64_t address = -1; // in the kernel, bytes; -1: a label
  int ptx_line = 0;     // in the PTX text, from 1; 0: unknown
};

struct SassKernel {
  std::string name;     // as in the PTX
  std::vector<SassLine> lines;
};

// Error: every place that was looked at and how to get it.
Result<std::filesystem::path> find_nvdisasm();

// All kernels of a cubin that was compiled with -lineinfo. Runs the program in a process of its own. Error: it is not
// there, cannot read the cubin, or the stop.
Result<std::vector<SassKernel>> disassemble(const std::vector<uint8_t>& cubin, const StopFlag* stop);

// What `nvdisasm -c -gp` writes.
std::vector<SassKernel> read_disassembly(std::string_view text);

}  // namespace warpshop::compile
