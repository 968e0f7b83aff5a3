// Identifies a run of one of the lab's own kernels, so that its result is kept until it may differ.
#pragma once

#include <string>

#include "lab/lab.h"
#include "lab/runner.h"

namespace warpshop::lab {

// Everything that determines the results of one of the lab's kernels, so that a lab edited on disk
// is rerun.
std::string kernel_key(const RunRequest& request, const Exercise& exercise, const ProblemSize& size,
                       const std::string& text);

}  // namespace warpshop::lab
