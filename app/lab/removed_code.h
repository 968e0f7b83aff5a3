// Mistakes that leave no trace in the compiled kernel. What depends on something undefined (a division by zero, a
// variable without a value) need not be compiled: NVRTC leaves it out, often with the stores, and what is left runs
// without a finding. So of a kernel that ran to its end with wrong results the compiler's warnings count, and the kernel
// is run once more as it was before optimisation.
#pragma once

#include <functional>
#include <vector>

#include "kernel_run.h"

namespace warpshop::lab {

// `run`: of the optimised kernel. `run_debug`: runs its debug build (debug_build.h) on buffers as they were before, as far
// as its budget goes. The findings that explain what is missing; often none.
std::vector<emulator::Finding> find_removed_code(const CompiledKernel& kernel, const KernelRun& run,
                                                 const std::function<Result<KernelRun>()>& run_debug);

}  // namespace warpshop::lab
