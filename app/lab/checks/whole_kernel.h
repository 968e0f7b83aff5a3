// Bounds the cost of the whole kernel. A check counts one thing, usually a ratio, which a kernel
// could meet by doing worse elsewhere: serialized lanes, extra loads that dilute the ratio, atomics
// instead of loads, dynamic instead of static shared memory. So a kernel that passes every other
// check is compared with the lab's own start and worked solution. docs/writing-a-lab.md, "The whole
// kernel".
#pragma once

#include <vector>

#include "lab/run_result.h"

namespace warpshop::lab {

// The check "whole-kernel" before it is judged: `evaluated` is false.
CheckResult whole_kernel_check();

// Judges it at a size that completed and passes every other check. Bounds come from `size.start`
// and `size.solution` or, if both are missing, from the reference.
//
//  1. Thread and warp instructions, memory sectors (including atomics and local memory) and shared
//     memory (static and dynamic) are at most Exercise::whole_kernel times those of the costlier of
//     the two. 16 KiB of shared memory always pass, and so does one sector per warp of atomics that
//     return a value. So are the instructions of the busiest warp, unless they are at most four
//     times the mean of the kernel's own warps and 16 times those of the costlier of the two.
//  2. Each check must still pass when its counters include possible substitutes (atomics for loads,
//     dynamic for static shared memory, beyond what the two kernels use), and when counters whose
//     growth helps to meet it count only up to `ratios` times the larger of the two, and never so
//     far that a diluted start could pass.
CheckResult judge_whole_kernel(const Exercise& exercise, const SizeResult& size);

}  // namespace warpshop::lab
