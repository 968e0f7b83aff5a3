// The verdicts: correct results, no findings, and the lab's own structural checks.
#pragma once

#include <vector>

#include "lab/run_result.h"

namespace warpshop::lab {

// "correct", "no-findings", then the exercise's own checks in order. `sizes` is empty when the
// kernel was not run; each result then has `evaluated` false.
std::vector<CheckResult> evaluate_checks(const Exercise& exercise,
                                         const std::vector<SizeResult>& sizes);

}  // namespace warpshop::lab
