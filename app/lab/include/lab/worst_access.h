// Finds the recorded access that a report shows first: the most wasteful of its kind.
#pragma once

#include "lab/run_result.h"
#include "models/request.h"

namespace warpshop::lab {

enum class AccessChoice { kGlobalLoad, kGlobalStore, kShared };

// The most wasteful recorded access on that GPU, by AccessCost. Null: the recorded blocks made no
// such access.
const timing::RecordedAccess* worst_access(const KernelRun& run, const models::GpuProfile& gpu,
                                           AccessChoice choice);

// The request that the models explain: the most wasteful, since the back end may issue two for one
// instruction.
models::WarpRequest worst_request(const KernelRun& run, const models::GpuProfile& gpu,
                                  const timing::RecordedAccess& access);

}  // namespace warpshop::lab
