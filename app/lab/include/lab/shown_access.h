// Which recorded access a lecture's scene shows, and whether the scene's text speaks of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "lab/access_cost.h"
#include "lab/demo.h"
#include "models/gpu_profile.h"

namespace warpshop::lab {

struct KernelRun;

// The access shown on a scene's map.
struct ShownAccess {
  size_t record = 0;  // index into KernelRun::records
  size_t part = 0;    // which of the requests that the access is issued as
  AccessCost cost;
};
// The costliest access that the scene refers to, by the first warp that makes it. Nothing if the
// text has none, as when a lecturer has changed it. For the warp's film, that access of the same
// warp with as many active lanes as on average.
std::optional<ShownAccess> shown_access(const Scene& scene, const KernelRun& run,
                                        const models::GpuProfile& gpu);

// Why the access is not the one named in the scene's text ("as[ty][k]", "the read of in"); empty:
// it is, or the text names none.
std::string contradiction(const Scene& scene, const KernelRun& run, const ShownAccess& shown);

}  // namespace warpshop::lab
