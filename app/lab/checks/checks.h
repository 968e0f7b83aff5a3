// The verdicts: correct results, no findings, and the lab's own structural checks.
#pragma once

#include <string>
#include <vector>

#include "core/expression.h"
#include "lab/run_result.h"

namespace warpshop::lab {

// "correct", "no-findings", then the exercise's own checks in order. `sizes` is empty when the
// kernel was not run; each result then has `evaluated` false.
std::vector<CheckResult> evaluate_checks(const Exercise& exercise,
                                         const std::vector<SizeResult>& sizes);

// The variables of a size and the metrics of its runs, for expressions.
NameLookup names_of(const SizeResult& size);
// The value of an expression that the loader has already parsed.
Result<double> value_of(const std::string& text, const NameLookup& names);

}  // namespace warpshop::lab
