// Creates a profile for a GPU without one: values reported by its driver, values measured by its
// worker, and the nearest profile of its architecture for the rest. Each number is tagged
// accordingly.
#pragma once

#include <string>
#include <vector>

#include "core/result.h"
#include "device/protocol.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

// The profile with the most similar memory among those of the same compute capability, else the
// same generation, else the newest before it. nullptr: `known` has none of 7.0 or newer.
const models::GpuProfile* nearest_profile(const std::vector<models::GpuProfile>& known,
                                          const device::GpuInfo& gpu);

struct MeasuredProfile {
  models::GpuProfile profile;
  std::string toml;   // the file
  Diagnostics notes;  // what is less certain than it looks: throttled clocks, …
};

// `id`: the file's name without .toml. `date`: "2026-11-21". Error: no profile is close enough to
// supply what a GPU cannot report.
Result<MeasuredProfile> measured_profile(const std::string& id, const device::GpuInfo& gpu,
                                         const device::GpuDescription& description,
                                         const std::string& driver, const std::string& date,
                                         const std::vector<models::GpuProfile>& known);

}  // namespace warpshop::lab
