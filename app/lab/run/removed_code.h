// Finds mistakes that leave no trace in the compiled kernel. Code that depends on undefined
// behaviour (a division by zero, an uninitialised variable) may be removed: NVRTC drops it, often
// together with the stores, and the rest runs without a finding. So if a kernel completes with
// wrong results, the compiler's warnings count, and the kernel is run again without optimisation.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "run/kernel_run.h"

namespace warpshop::lab {

// True of a warning of an integer division by a constant 0, or of a variable without a value: what
// depends on it may have been removed.
bool tells_of_removed_code(const Diagnostic& warning, std::string_view source);

// `run`: of the optimised kernel. `run_debug`: runs its debug build (debug_build.h) on the original
// buffers, within its budget. Returns the findings that explain what is missing; often none.
std::vector<emulator::Finding> find_removed_code(
    const CompiledKernel& kernel, const KernelRun& run,
    const std::function<Result<KernelRun>()>& run_debug);

// Completes the finding about a kernel that never ends with the store that is missing in it: code
// after such a loop is never reached, so NVRTC drops it. Otherwise does nothing.
void explain_endless_loop(KernelRun& run, const std::function<Result<KernelRun>()>& run_debug);

// Says of a trap that no source line asks for that the compiler put it there.
void explain_trap(KernelRun& run, std::string_view source);

}  // namespace warpshop::lab
