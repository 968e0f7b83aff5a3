// A profile for a GPU that nobody has described yet: what its driver tells, what its worker
// measured, and for the rest the nearest profile of its architecture. Each number says which.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "device/protocol.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

// The one of the same compute capability, else the same generation, else the newest before it,
// whose memory is the most alike. nullptr: `known` has none of 7.0 or newer.
const models::GpuProfile* nearest_profile(const std::vector<models::GpuProfile>& known,
                                          const device::GpuInfo& gpu);

struct MeasuredProfile {
  models::GpuProfile profile;
  std::string toml;   // the file
  Diagnostics notes;  // what is less sure than it looks: clocks that were held down, …
};

// `id`: the file's name without .toml. `date`: "2026-11-21". Error: no profile is near enough to
// stand in for what cannot be asked of a GPU.
Result<MeasuredProfile> measured_profile(const std::string& id, const device::GpuInfo& gpu,
                                         const device::GpuDescription& description,
                                         const std::string& driver, const std::string& date,
                                         const std::vector<models::GpuProfile>& known);

}  // namespace warpshop::lab
