// A kernel's machine code from a cubin, one instruction at a time, with the PTX line of each.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/machine_instruction.h"
#include "core/result.h"

namespace warpshop::compile {

// By address, 16 bytes apart. `kernel` is the name in the PTX. Lines come from .nv_debug_line_sass,
// which -lineinfo adds. Error: the cubin is damaged or has no such kernel.
Result<std::vector<MachineInstruction>> read_kernel_code(const std::vector<uint8_t>& cubin,
                                                         std::string_view kernel);

}  // namespace warpshop::compile
