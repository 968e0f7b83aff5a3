// Running a lecture's scene as the lecture does, for whoever proves or prints it.
#pragma once

#include "lab/demo.h"
#include "lab/lab.h"
#include "lab/runner.h"

namespace warpshop::lab {

// The run of a scene of `lab`, which must outlive it: the scene's kernel in place of its step's,
// the first block recorded, by the rules of the scene's GPU, else of its step's, else of `gpu`.
// Panels that draw the memory over time get their timeline.
RunRequest scene_request(const Lab& lab, const Scene& scene, const models::GpuProfile& gpu);

}  // namespace warpshop::lab
