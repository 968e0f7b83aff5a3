// The recorded access of a run that a report shows first: the most wasteful one of its kind.
#pragma once

#include "lab/run_result.h"
#include "models/request.h"

namespace warpshop::lab {

enum class AccessChoice { kGlobalLoad, kGlobalStore, kShared };

// The recorded access that wastes most on that GPU, as AccessCost counts it. Null: the recorded blocks made no such access.
const timing::RecordedAccess* worst_access(const KernelRun& run, const models::GpuProfile& gpu, AccessChoice choice);

// What the models are asked about it: the most wasteful request, as the back end may make two of
// one instruction.
models::WarpRequest worst_request(const KernelRun& run, const models::GpuProfile& gpu, const timing::RecordedAccess& access);

}  // namespace warpshop::lab
