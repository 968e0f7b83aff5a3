// What a kernel costs as a whole. A check counts one thing, mostly a ratio, and a kernel could meet it by doing worse
// elsewhere: lanes one after the other, extra loads that dilute the ratio, atomics instead of loads, dynamic instead of
// static shared memory. So what passes every other check is compared with the lab's own start and worked solution.
// docs/writing-a-lab.md, "The whole kernel".
#pragma once

#include <vector>

#include "lab/run_result.h"

namespace warpshop::lab {

// The check "whole-kernel" before it was judged: `evaluated` is false.
CheckResult whole_kernel_check();

// Judges it at one size that ran to its end and passes every other check. Bounds come from `size.start` and
// `size.solution`; where neither is there, from the reference.
//
// 1. Thread and warp instructions, memory sectors (atomics and local memory included) and shared memory (static and
//    dynamic) are at most Exercise::whole_kernel times those of the worse of the two. 16 KiB of shared memory always pass.
//    So do sectors of atomics that return a value, of which there may be one per warp.
// 2. Each check still holds when its counters include what could be used in their stead (atomics for loads, dynamic for
//    static shared memory, as far as it is more than the two use), and when counters whose growth helps to meet it count
//    up to `ratios` times those of the larger of the two, and never so far that the start could be diluted until it passes.
CheckResult judge_whole_kernel(const Exercise& exercise, const SizeResult& size);

}  // namespace warpshop::lab
