// Finds kernels whose result depends on the order of their blocks and warps, where the race checks
// cannot see why: fences, volatile, relaxed and atomic accesses may be a protocol that orders them,
// or not. If they are, the result is right in any order.
#pragma once

#include <optional>
#include <string_view>

#include "run/exercise_run.h"

namespace warpshop::lab {

// A kernel of the student and what its launch at one size should give.
struct JudgedLaunch {
  const CompiledKernel& kernel;
  const Exercise& exercise;
  const ProblemSize& size;
  std::string_view source;
  const models::GpuProfile& gpu;
  const ExerciseRun& expected;
};

// `run`: of that launch with `options`; its results were right. Repeats it with its blocks and
// warps in a few other orders, unless errors were found in it.
std::optional<emulator::Finding> find_order_dependence(const JudgedLaunch& launch,
                                                       const KernelRun& run,
                                                       KernelRunOptions options);

}  // namespace warpshop::lab
