// Disassembles a cubin with NVIDIA's nvdisasm, which is not part of this program: ./start fetches
// it, and the CUDA Toolkit includes it.
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
  std::string text;      // "IMAD R6, R7, R0, R5 ;" with its guard, or a label: "L_x_3:"
  int64_t address = -1;  // byte offset in the kernel; -1: a label
  int ptx_line = 0;      // in the PTX text, from 1; 0: unknown
};

struct SassKernel {
  std::string name;  // as in the PTX
  std::vector<SassLine> lines;
};

// Error: every place searched, and how to install it.
Result<std::filesystem::path> find_nvdisasm();

// Disassembles every kernel of a cubin compiled with -lineinfo, in a separate process. Error:
// nvdisasm is missing or cannot read the cubin, or `stop` was requested.
Result<std::vector<SassKernel>> disassemble(const std::vector<uint8_t>& cubin,
                                            const StopFlag* stop);

// Parses the output of `nvdisasm -c -gp`.
std::vector<SassKernel> read_disassembly(std::string_view text);

}  // namespace warpshop::compile
