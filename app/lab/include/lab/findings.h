// What a run found, over all of its sizes.
#pragma once

#include <algorithm>

#include "lab/run_result.h"

namespace warpshop::lab {

// At some size there were more findings than are kept: KernelRun::more_findings.
inline bool more_findings(const RunResult& result) {
  return std::any_of(result.sizes.begin(), result.sizes.end(), [](const SizeResult& size) { return size.student.more_findings; });
}

}  // namespace warpshop::lab
